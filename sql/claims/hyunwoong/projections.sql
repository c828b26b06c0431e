-- id: hyunwoong.projections
-- title: k_proj and v_proj, of one shape in Solar, GLM and Phi, single out no pair of them.
-- documents: hyunwoong
-- section: Intro, 4.2, 4.4, 5
-- evidence: weights
-- needs: solar, glm, phi, projections
-- version: 2
-- reading: Needs a lake with the matrices of layers 10, 20 and 30 (ingest with --projections 10,20,30); all
--   is undefined without them. Same shape: in each of the six kinds and layers the three matrices have as
--   many values, and the models one width, which is the number of columns; observed is the number of values.
--   No pattern: no cosine is above 0.01 in size, 20 standard deviations of unrelated matrices of 4 million
--   values and far below any common origin. Small: no mean absolute difference reaches 0.05, 0.0 to one
--   decimal. Far apart: every rel_l2 is above 1, the first of Solar, GLM, Phi as base; so it is between any
--   unrelated matrices. Observed is the extreme.
-- history: v2: returns its reading
with

sizes as (
    select count(distinct d) = 1 as is_same, count(*) as matrices, max(d) as d
    from vector_stats
    where
        model in ('solar', 'glm', 'phi') and ln_type in ('k_proj', 'v_proj') and layer in (10, 20, 30)
    having matrices > 0
),

widths as (
    select count(distinct hidden_size) = 1 as is_same
    from models
    where model in ('solar', 'glm', 'phi')
),

extremes as (
    select
        count(*) as matrices,
        arg_max(cosine, abs(cosine)) as cosine,
        max(mean_abs_diff) as mean_abs_diff,
        min(rel_l2) as rel_l2
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('k_proj', 'v_proj')
),

checks (item, statement, holds, observed) as (
    select
        'intro.kv_same_shape', 'all eighteen matrices have one shape',
        sizes.is_same and widths.is_same and matrices = 18, d
    from widths
    left join sizes on true
    union all
    select
        'intro.kv_no_pattern', 'no cosine is above 0.01 in size',
        abs(cosine) <= 0.01 and matrices = 18, cosine
    from extremes
    union all
    select
        's4_2.kv_abs_diff_small', 'every mean absolute difference is below 0.05',
        mean_abs_diff < 0.05 and matrices = 18, mean_abs_diff
    from extremes
    union all
    select 's4_4.kv_rel_l2_large', 'every relative distance is above 1', rel_l2 > 1 and matrices = 18, rel_l2
    from extremes
)

select 'hyunwoong.' || item as item, 'plain' as reading, statement, holds, observed
from checks
order by item
