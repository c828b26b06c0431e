-- one row per metric, kind of tensor and ordered pair of layers 10, 20 and 30 of one model
-- how alike are a model's own layers by each metric; `set variable model = 'glm'` chooses another model
--
-- share: value over the largest of its metric, which colours a distance
with

matrices as (
    select
        coalesce(getvariable('model'), 'solar') as model,
        ln_type, layer_a, layer_b, cosine, pearson, mean_abs_diff, p99_abs_diff, rel_l2, cv_diff
    from within(coalesce(getvariable('model'), 'solar'), [10, 20, 30])
    where ln_type in ('input_layernorm', 'post_attention_layernorm', 'k_proj', 'v_proj')
),

by_metric as (
    from (
        unpivot matrices
        on cosine, pearson, mean_abs_diff, p99_abs_diff, rel_l2, cv_diff
        into name metric value value
    )
)

select
    model, metric, ln_type, layer_a, layer_b, value,
    value / nullif(max(value) over (partition by metric), 0) as share
from by_metric
order by metric, ln_type, layer_a, layer_b
