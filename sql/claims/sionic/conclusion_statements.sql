-- id: sionic.conclusion_statements
-- title: The norm weights of all models cluster near 1.0, so that any pair has a cosine above 0.95.
-- documents: sionic_ko, sionic_en
-- section: Conclusion
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- reading: The four models that the document compares. Near 1.0: the mean over all layers of the input norm
--   is within half a digit (0.05) for each model; observed is the mean farthest off. @within_half is
--   generous: between 0.5 and 1.5. Any pair: the mean cosine over matched layers is 0.95 or more for each of
--   the six pairs and both norms; observed is the lowest. @every_layer: the cosine of every matched layer.
with

near_one as (
    select max(value) as value, max(half_digit) as half_digit
    from printed
    where item = 'sionic.conclusion.all_llms_near_1'
),

wanted_pairs as (
    select model_a, model_b, ln_type, max(low) as low
    from printed
    where item = 'sionic.conclusion.any_pair_high_cosine'
    group by model_a, model_b, ln_type
),

model_means as (
    select avg(mean) as mean
    from vector_stats
    where model in ('solar', 'glm', 'intellect', 'phi') and ln_type = 'input_layernorm'
    group by model
),

farthest as (
    select arg_max(mean, abs(mean - value)) as mean
    from model_means
    cross join near_one
),

matched as (
    select model_a, model_b, ln_type, cosine
    from matched_layers
    where
        model_a in ('solar', 'glm', 'intellect') and model_b in ('glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

pair_cosines as (
    select avg(matched.cosine) as average, min(matched.cosine) as lowest, max(wanted_pairs.low) as low
    from wanted_pairs
    left join matched using (model_a, model_b, ln_type)
    group by model_a, model_b, ln_type
)

select
    unnest(['sionic.conclusion.all_llms_near_1', 'sionic.conclusion.all_llms_near_1@within_half']) as item,
    unnest(['every model''s mean weight is 1.0', '… is between 0.5 and 1.5']) as statement,
    unnest([abs(mean - value) <= half_digit, abs(mean - value) <= 0.5]) as holds,
    unnest([mean, mean]) as observed
from farthest
cross join near_one
union all
select
    unnest([
        'sionic.conclusion.any_pair_high_cosine', 'sionic.conclusion.any_pair_high_cosine@every_layer'
    ]) as item,
    unnest(['every pair''s mean cosine reaches the bound', 'every layer''s cosine reaches it']) as statement,
    unnest([min(average) >= max(low), min(lowest) >= max(low)]) as holds,
    unnest([min(average), min(lowest)]) as observed
from pair_cosines
order by item
