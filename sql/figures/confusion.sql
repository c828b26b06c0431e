-- one row per metric, kind of tensor, layer and ordered pair of solar, glm and phi
-- the documents' confusion matrices, all metrics at once; centred cosine is Pearson and not there twice
--
-- value: the metric; rel_l2 is relative to model_a
-- share: value over the largest of its metric, which colours a distance
with

at_layers as (
    select 10 as layer, * from similarity_matrix(10, among := ['solar', 'glm', 'phi'])
    union all by name
    select 20 as layer, * from similarity_matrix(20, among := ['solar', 'glm', 'phi'])
    union all by name
    select 30 as layer, * from similarity_matrix(30, among := ['solar', 'glm', 'phi'])
),

compared as (
    select
        ln_type, layer, model_a, model_b, d,
        cosine, pearson, mean_abs_diff, p99_abs_diff, rel_l2, cv_diff
    from at_layers
    where ln_type in ('input_layernorm', 'post_attention_layernorm', 'k_proj', 'v_proj')
),

measured as (
    from (
        unpivot compared
        on cosine, pearson, mean_abs_diff, p99_abs_diff, rel_l2, cv_diff
        into name metric value value
    )
)

select
    metric, ln_type, layer, model_a, model_b, d, value,
    value / nullif(max(value) over (partition by metric), 0) as share
from measured
order by metric, ln_type, layer, model_a, model_b
