-- id: findings.means_and_spreads
-- title: Means and spreads alone, without any pattern, give the accusation's baseline, its 0.989 and their effect
--   size.
-- documents: accusation, accusation_output
-- section: lines 189-219; layer_decay_analysis.png
-- evidence: printed
-- needs:
-- version: 1
-- reading: Of the released weights the sanity check published mean and standard deviation of both norms of 46
--   layers. Two vectors without any pattern in common have the cosine u·u, with u = mean / √(mean² + std²) of
--   each. That is compared with what was published of the vectors themselves: the two baselines and the mean
--   between the models over layers 10, 20, 30 and 40, the means over equal and over different layers of both
--   norms, and the difference of these two, each by less than 0.01 (the difference by 0.001). By layer: u·u and
--   the published cosine of the input norm correlate above 0.999. The effect size of the gap from u·u in place of
--   the twelve cosines is above 100. So these figures say what the norms' means and spreads are; whether the
--   patterns have anything in common is what the correlation says. Observed is the figure from u·u.
with

shares as (
    select
        model_a as model, layer_a as layer, ln_type,
        max(value) filter (metric = 'mean')
        / sqrt(max(value) filter (metric = 'mean') ** 2 + max(value) filter (metric = 'std') ** 2) as u
    from measured
    where source = 'sanity_outputs' and metric in ('mean', 'std') and model_b is null
    group by all
),

products as (
    select a.model as model_a, b.model as model_b, a.layer as layer_a, b.layer as layer_b, ln_type, a.u * b.u as cosine
    from shares as a
    join shares as b using (ln_type)
),

compared as (
    select
        *,
        model_a = 'solar' and model_b = 'glm' as is_both,
        layer_a = layer_b as is_equal,
        ln_type = 'input_layernorm' and layer_b in (10, 20, 30, 40) as is_of_four
    from products
),

predicted as (
    select
        avg(cosine) filter (is_both and is_equal and is_of_four) as four_layers,
        stddev_pop(cosine) filter (is_both and is_equal and is_of_four) as four_layers_std,
        avg(cosine) filter (model_a = 'glm' and model_b = 'glm' and layer_a = 0 and is_of_four) as glm_baseline,
        stddev_pop(cosine) filter (model_a = 'glm' and model_b = 'glm' and layer_a = 0 and is_of_four) as glm_std,
        avg(cosine) filter (model_a = 'solar' and model_b = 'solar' and layer_a = 0 and is_of_four) as solar_baseline,
        avg(cosine) filter (is_both and is_equal) as equal_layers,
        avg(cosine) filter (is_both and not is_equal) as other_layers,
        (four_layers - glm_baseline) / sqrt((four_layers_std ** 2 + glm_std ** 2) / 2) as effect_size
    from compared
),

by_layer as (
    select corr(compared.cosine, measured.value) as agreement
    from compared
    join measured using (layer_a, layer_b, ln_type)
    where
        is_both and is_equal and ln_type = 'input_layernorm' and source = 'sanity_outputs' and metric = 'cosine'
),

said as (
    select
        max(value) filter (item = 'accusation.readme.within.glm_mean') as glm_baseline,
        max(value) filter (item = 'accusation.readme.within.solar_mean') as solar_baseline,
        max(value) filter (item = 'accusation.readme.cross.mean') as four_layers,
        max(value) filter (item = 'accusation.output.decay.matched' and aggregate = 'mean') as equal_layers,
        max(value) filter (item = 'accusation.output.decay.mismatched' and aggregate = 'mean') as other_layers,
        max(value) filter (item = 'accusation.output.decay.dominance') as difference
    from printed
)

select
    unnest([
        'glm_baseline', 'solar_baseline', 'four_layers', 'equal_layers', 'other_layers', 'difference', 'by_layer',
        'effect_size'
    ]) as item,
    'plain' as reading,
    unnest([
        'within 0.01 of the printed 0.377', 'within 0.01 of the printed 0.376', 'within 0.01 of the printed 0.989',
        'within 0.01 of the printed 0.9676', 'within 0.01 of the printed 0.9625', 'within 0.001 of the printed 0.0051',
        'correlates above 0.999 with the published cosine', 'above 100'
    ]) as statement,
    unnest([
        abs(predicted.glm_baseline - said.glm_baseline) < 0.01,
        abs(predicted.solar_baseline - said.solar_baseline) < 0.01,
        abs(predicted.four_layers - said.four_layers) < 0.01,
        abs(predicted.equal_layers - said.equal_layers) < 0.01,
        abs(predicted.other_layers - said.other_layers) < 0.01,
        abs(predicted.equal_layers - predicted.other_layers - difference) < 0.001,
        agreement > 0.999,
        effect_size > 100
    ]) as holds,
    unnest([
        predicted.glm_baseline, predicted.solar_baseline, predicted.four_layers, predicted.equal_layers,
        predicted.other_layers, predicted.equal_layers - predicted.other_layers, agreement, effect_size
    ]) as observed
from predicted
cross join by_layer
cross join said
