-- id: sionic.conclusion_statements
-- title: The norm weights of all models cluster near 1.0, so that any pair has a high cosine.
-- documents: sionic_ko, sionic_en
-- section: Conclusion
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 3
-- reading: The four models that the document compares. Near 1.0 is taken widely: the mean over all layers of
--   the input norm is between 0.5 and 1.5 for each model; observed is the mean farthest off. Any pair: the
--   mean cosine over matched layers is 0.9 or more for each of the six pairs and both norms; observed is the
--   lowest. The sentence before speaks of 0.95 and more, but sets no bound for "high", and E.3 lists 0.94.
--   Positive bias: what the means alone give of the mean cosine of a pair, the offset share. Due to it, as the
--   Korean text says: within 0.01 of the cosine in each pair but the derived one, GLM and INTELLECT; observed is
--   the largest difference. Largely, as the English one says: nine tenths of the cosine in each of the six pairs;
--   observed is the smallest share.
-- history: v2: near 1.0 is 0.5 to 1.5; high is 0.9, said of pairs and not of each layer
-- history: v3: what the conclusion says of the positive bias in Korean and in English, which differ
with

near_one as (
    select max(value) as value
    from printed
    where item = 'sionic.conclusion.all_llms_near_1'
),

model_means as (
    select avg(mean) as mean
    from vector_stats
    where model in ('solar', 'glm', 'intellect', 'phi') and ln_type = 'input_layernorm'
    group by model
),

farthest as (
    select arg_max(mean, abs(mean - value)) as mean, max(abs(mean - value)) as distance
    from model_means
    cross join near_one
),

pair_means as (
    select
        'solar' not in (model_a, model_b) and 'phi' not in (model_a, model_b) as is_derived,
        avg(cosine) as cosine, avg(offset_share) as offset_share
    from matched_layers
    where
        model_a in ('solar', 'glm', 'intellect') and model_b in ('glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model_a, model_b, ln_type
)

select
    'sionic.conclusion.all_llms_near_1' as item,
    'plain' as reading,
    'every model''s mean weight is between 0.5 and 1.5' as statement,
    distance <= 0.5 as holds,
    mean as observed
from farthest
union all
select
    'sionic.conclusion.any_pair_high_cosine' as item,
    'plain' as reading,
    'every pair''s mean cosine is 0.9 or more' as statement,
    min(cosine) >= 0.9 as holds,
    min(cosine) as observed
from pair_means
union all
select
    'sionic.conclusion.ko_due_to_bias', 'plain', 'the means give every other pair''s cosine within 0.01',
    max(abs(cosine - offset_share)) <= 0.01, max(abs(cosine - offset_share))
from pair_means
where not is_derived
union all
select
    'sionic.conclusion.en_largely_bias', 'plain', 'the means give nine tenths of every pair''s cosine',
    min(offset_share / cosine) >= 0.9, min(offset_share / cosine)
from pair_means
order by item
