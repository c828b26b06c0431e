-- id: hyunwoong.relative_distance
-- title: Distances between the post norms of layer 20, relative and absolute.
-- documents: hyunwoong
-- section: 4.4
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: Post-attention norm of layer 20, the example of the paragraph. Relative distance is ||a - b|| /
--   ||a|| with the model named first as a. For Phi and GLM that cannot be meant, as the other two figures
--   force 1.6 or more: @glm_base divides by GLM's length. The absolute values of Solar and Phi are given as
--   two figures without metric or layer. The first is read as the mean absolute difference at layer 20, the
--   second, @second_figure, as the one at layer 10 or 30 that comes nearest to it.
with

figures as (
    select item, model_a, model_b, metric, layer_a as layer, value, half_digit
    from printed
    where section = '4.4' and metric in ('rel_l2', 'mean_abs_diff') and model_a is not null
),

distances as (
    select model_a, model_b, layer, rel_l2, mean_abs_diff
    from matched_layers
    where
        model_a in ('solar', 'glm', 'phi') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type = 'post_attention_layernorm'
),

read_as_written as (
    select
        item, value, half_digit,
        case metric when 'rel_l2' then rel_l2 else mean_abs_diff end as observed
    from figures
    left join distances using (model_a, model_b, layer)
    where layer is not null
),

turned_around as (
    select item || '@glm_base' as item, value, half_digit, distances.rel_l2 as observed
    from figures
    left join distances
        on
            distances.model_a = figures.model_b and distances.model_b = figures.model_a
            and distances.layer = figures.layer
    where item = 'hyunwoong.s4_4.rel_l2.phi_glm'
),

elsewhere as (
    select
        item || '@second_figure' as item, value, half_digit,
        arg_min(mean_abs_diff, abs(mean_abs_diff - value)) as observed
    from figures
    left join distances
        on
            distances.model_a = figures.model_a and distances.model_b = figures.model_b
            and distances.layer in (10, 30)
    where figures.layer is null
    group by item, value, half_digit
)

select item, value as expected, half_digit as tolerance, observed
from (
    from read_as_written
    union all by name
    from turned_around
    union all by name
    from elsewhere
)
order by item
