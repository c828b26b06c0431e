-- one row per kind of tensor, layer and ordered pair of solar, glm and phi: one metric
-- the documents' confusion matrices; `set variable metric = 'rel_l2'` chooses another metric
--
-- value: the metric; rel_l2 is relative to model_a
-- highest: largest value of all cells, where the colours of a distance end
with

at_layers as (
    select 10 as layer, * from confusion(10, among := ['solar', 'glm', 'phi'])
    union all by name
    select 20 as layer, * from confusion(20, among := ['solar', 'glm', 'phi'])
    union all by name
    select 30 as layer, * from confusion(30, among := ['solar', 'glm', 'phi'])
),

-- the branches not chosen are folded away before anything is computed for them
measured as (
    select
        ln_type, layer, model_a, model_b, d,
        case coalesce(getvariable('metric'), 'cosine')
            when 'cosine' then cosine
            when 'centered_cosine' then pearson
            when 'pearson' then pearson
            when 'mean_abs_diff' then mean_abs_diff
            when 'p99_abs_diff' then p99_abs_diff
            when 'rel_l2' then rel_l2
            when 'cv_diff' then cv_diff
        end as value
    from at_layers
    where ln_type in ('input_layernorm', 'post_attention_layernorm', 'k_proj', 'v_proj')
)

select
    coalesce(getvariable('metric'), 'cosine') as metric,
    ln_type, layer, model_a, model_b, d, value,
    max(value) over () as highest
from measured
order by ln_type, layer, model_a, model_b
