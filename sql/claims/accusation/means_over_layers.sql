-- id: accusation.means_over_layers
-- title: Means of the cosine and of Pearson over the layers that Solar and GLM share.
-- documents: accusation, accusation_report, accusation_output
-- section: lines 45-46, 83, 250; report lines 17, 55-56, 138, 173; layer_decay_analysis.png, proof_analysis.png
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: Over layers 0 to 45, which are all of GLM's without its MTP layer, or over the part that is named.
--   Figures without a norm are over both, each layer and norm counting once. Consistently 0.97: plain, the mean;
--   each_layer asks it of every layer, both norms together, and observed is the one furthest off. About 0.99 in
--   sum: plain, the four layers that the page compares, 10, 20, 30 and 40; all_layers, the mean of all. From layer
--   5 on 0.97: plain, their mean; all_layers, the mean that the report prints as 0.97. Spreads of the matrix of
--   layers are those of its cells, each a mean of both norms.
with

figures as (
    select item, ln_type, metric, scope, aggregate, max(value) as value, max(half_digit) as half_digit
    from printed
    where
        item like 'accusation.%' and document like 'accusation%' and model_a = 'solar' and model_b = 'glm'
        and metric in ('cosine', 'pearson') and aggregate in ('mean', 'std')
        and scope in (
            'matched_layers', 'mismatched_pairs', 'norms_summed_up', 'layers_0_to_22', 'layers_23_to_45',
            'layers_from_5', 'matched_layers_of_the_matrix', 'mismatched_pairs_of_the_matrix'
        )
        and (ln_type is null or ln_type like '%layernorm')
        and item not like '%sigma_above_random'
    group by all
),

vectors_compared as (
    select layer_a, layer_b, ln_type, cosine, pearson
    from pairs
    where
        model_a = 'solar' and model_b = 'glm' and layer_a <= 45 and layer_b <= 45
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

-- one cell of the matrix of layers: both norms together
cells as (
    select layer_a, layer_b, avg(cosine) as cosine, avg(pearson) as pearson
    from vectors_compared
    group by layer_a, layer_b
),

computed as (
    select
        avg(cosine) filter (layer_a = layer_b) as matched,
        stddev_pop(cosine) filter (layer_a = layer_b) as matched_std,
        arg_max(cosine, abs(cosine - 0.97)) filter (layer_a = layer_b) as furthest,
        avg(cosine) filter (layer_a <> layer_b) as mismatched,
        stddev_pop(cosine) filter (layer_a <> layer_b) as mismatched_std,
        avg(cosine) filter (layer_a = layer_b and layer_a <= 22) as early,
        avg(cosine) filter (layer_a = layer_b and layer_a >= 23) as late,
        avg(cosine) filter (layer_a = layer_b and layer_a >= 5) as deep,
        avg(pearson) filter (layer_a = layer_b) as pearson
    from cells
),

by_norm as (
    select
        avg(cosine) filter (ln_type = 'input_layernorm') as input,
        avg(cosine) filter (ln_type = 'post_attention_layernorm') as post,
        avg(cosine) filter (ln_type = 'input_layernorm' and layer_a in (10, 20, 30, 40)) as four
    from vectors_compared
    where layer_a = layer_b
),

readings (item, aggregate, reading) as (
    select item, aggregate, case aggregate when 'std' then 'spread' else 'plain' end from figures
    union all
    values
    ('accusation.report.norms_0_97_in_46_layers', 'mean', 'each_layer'),
    ('accusation.readme.insight.norms_0_99', 'mean', 'all_layers'),
    ('accusation.report.fits.deep_layers_0_97', 'mean', 'all_layers')
)

select
    item,
    reading,
    value as expected,
    half_digit as tolerance,
    case
        when reading = 'each_layer' then furthest
        when reading = 'all_layers' then matched
        when scope = 'norms_summed_up' then four
        when ln_type = 'input_layernorm' then input
        when ln_type = 'post_attention_layernorm' then post
        when metric = 'pearson' then pearson
        else case scope
            when 'matched_layers' then matched
            when 'mismatched_pairs' then mismatched
            when 'matched_layers_of_the_matrix' then matched_std
            when 'mismatched_pairs_of_the_matrix' then mismatched_std
            when 'layers_0_to_22' then early
            when 'layers_23_to_45' then late
            when 'layers_from_5' then deep
        end
    end as observed
from figures
join readings using (item, aggregate)
cross join computed
cross join by_norm
order by item, reading = 'plain' desc, reading
