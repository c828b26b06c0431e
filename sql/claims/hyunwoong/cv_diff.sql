-- id: hyunwoong.cv_diff
-- title: Relative spreads (std / |mean|) of norm weights are almost the same in Solar, GLM and Phi.
-- documents: hyunwoong
-- section: 4.5
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: Both norms at layers 10, 20 and 30, six differences a pair of models. The document prints 0, whose
--   half digit of 0.5 no difference of such small numbers can exceed. "Almost 0" is taken as 0.0 to one
--   decimal: the largest of the six is below 0.05. @relative holds each difference against what it is a
--   difference of: at most a tenth of the larger of the two relative spreads; observed is the largest such
--   share.
with

claimed as (
    select distinct item, model_a, model_b
    from printed
    where item like 'hyunwoong.s4_5.cv_diff_about_0.%'
),

differences as (
    select model_a, model_b, ln_type, layer, cv_diff
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

spreads as (
    select model, ln_type, layer, cv
    from vector_stats
    where model in ('solar', 'glm', 'phi') and layer in (10, 20, 30)
),

largest as (
    select
        model_a, model_b,
        max(cv_diff) as cv_diff,
        max(cv_diff / greatest(a.cv, b.cv)) as share
    from differences
    join spreads as a on a.model = model_a and a.ln_type = differences.ln_type and a.layer = differences.layer
    join spreads as b on b.model = model_b and b.ln_type = differences.ln_type and b.layer = differences.layer
    group by model_a, model_b
),

compared as (
    from claimed left join largest using (model_a, model_b)
),

checks (item, statement, holds, observed) as (
    select
        item,
        format('{} and {}: all six differences are below 0.05', model_a, model_b),
        cv_diff < 0.05,
        cv_diff
    from compared
    union all
    select
        item || '@relative',
        format('{} and {}: no difference is above a tenth of the larger spread', model_a, model_b),
        share <= 0.1,
        share
    from compared
)

select item, statement, holds, observed
from checks
order by item
