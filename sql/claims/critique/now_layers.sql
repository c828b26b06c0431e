-- id: critique.now_layers
-- title: Layer 0 differs, adjacent layers are alike, Solar and GLM are not in pattern; all makers reach 0.97.
-- documents: critique_now
-- section: Points, Key findings, Observed ranges
-- evidence: weights
-- needs: solar, glm, phi, mixtral, mistral_7b, yi_6b, yi_9b, qwen15_7b
-- version: 1
-- reading: Input norm. May differ, and really differs: in Solar and in GLM layers 0 and 10 have a lower
--   cosine (a lower Pearson correlation) than layers 10 and 20; observed is the smaller step. Really alike:
--   the smaller Pearson correlation of layers 10 and 20 is more than 1.96 standard deviations from chance;
--   observed in those. At the level of random vectors: plain, at layer 10, which is the one in the table, less
--   than 1.96; all_layers: at each of layers 0 to 45 of Solar and GLM. Ranges: the eight models of experiment
--   5 at layer 10, about so much allows a whole digit: plain, 95 % of the pairs are within; every_pair: all
--   are; observed is the share. Whoever made them: the mean of the pairs of different makers.
with

figures as (
    select item, coalesce(value, low) - 2 * half_digit as least, coalesce(value, high) + 2 * half_digit as most
    from printed
    where item similar to 'critique.now.range.(moe_non|non_non|makers_do_not_matter)'
),

inside as (
    select
        model,
        max(cosine) filter (layer_a = 0 and layer_b = 10) as far_cosine,
        max(pearson) filter (layer_a = 0 and layer_b = 10) as far_pearson,
        max(cosine) filter (layer_a = 10 and layer_b = 20) as near_cosine,
        max(pearson) filter (layer_a = 10 and layer_b = 20) as near_pearson,
        min(d) as d
    from within_model
    where model in ('solar', 'glm') and ln_type = 'input_layernorm' and layer_a in (0, 10) and layer_b in (10, 20)
    group by model
),

steps as (
    select
        min(near_cosine - far_cosine) as by_cosine, min(near_pearson - far_pearson) as by_pearson,
        min(near_pearson) * sqrt(min(d) - 1) as z
    from inside
),

across as (
    select
        max(abs(pearson) * sqrt(d - 1)) filter (layer = 10) as at_10, max(abs(pearson) * sqrt(d - 1)) as largest
    from matched_layers
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm' and layer <= 45
),

makers (model, maker, is_moe) as (
    values
    ('solar', 'Upstage', 1), ('glm', 'Zhipu AI', 1), ('phi', 'Microsoft', 1), ('mixtral', 'Mistral AI', 1),
    ('mistral_7b', 'Mistral AI', 0), ('yi_6b', '01.AI', 0), ('yi_9b', '01.AI', 0), ('qwen15_7b', 'Alibaba', 0)
),

compared as (
    select m.cosine, a.is_moe + b.is_moe as moe_models, a.maker <> b.maker as are_of_two
    from matched_layers as m
    join makers as a on a.model = m.model_a
    join makers as b on b.model = m.model_b
    where m.model_a < m.model_b and m.ln_type = 'input_layernorm' and m.layer = 10
),

ranges as (
    select
        item, max(least) as least, max(most) as most,
        avg((cosine between least and most)::integer) filter (moe_models = (item like '%moe_non')::integer) as share,
        avg(cosine) filter (are_of_two) as mean
    from figures
    left join compared on true
    group by item
)

select
    'critique.now.' || unnest([
        'points.layer0_may_differ', 'found.layer0_really_differs', 'found.within_real_likeness'
    ]) as item,
    'plain' as reading,
    unnest(['a lower cosine', 'a lower Pearson correlation', 'more than 1.96 deviations from chance']) as statement,
    unnest([by_cosine > 0, by_pearson > 0, z > 1.96]) as holds,
    unnest([by_cosine, by_pearson, z]) as observed
from steps
union all
select
    'critique.now.found.cross_random_level', unnest(['plain', 'all_layers']),
    unnest(['layer 10 is within 1.96 deviations of chance', 'so is every layer']),
    unnest([at_10 < 1.96, largest < 1.96]), unnest([at_10, largest])
from across
union all
select
    item, unnest(['plain', 'every_pair']), unnest(['95 % of the pairs are within', 'all are']),
    unnest([share >= 0.95, share = 1]), share
from ranges
where item not like '%makers%'
union all
select item, 'plain', 'the mean over pairs of different makers is that', mean between least and most, mean
from ranges
where item like '%makers%'
