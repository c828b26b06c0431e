-- id: hyunwoong.relative_distance
-- title: Distances between the post norms of layer 20, relative and absolute.
-- documents: hyunwoong
-- section: 4.4
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Post-attention norm of layer 20, the example of the paragraph. Relative distance is ||a - b|| /
--   ||a||; the document warns that the figure hangs on which model is a, and does not say which was. The base
--   is Solar where it takes part, and GLM for Phi and GLM: with Phi as base the other two figures force 1.6 or
--   more. The absolute values of Solar and Phi are two figures given as examples, without metric or layer. The
--   first is read as the mean absolute difference at layer 20, the second as the one at layer 10 or 30 that
--   comes nearest to it. All may be rounded or cut off: a whole unit of the last digit is allowed.
-- history: v2: one base for Phi and GLM, the possible one; the second absolute figure is an item of its own;
--   digits may be cut off
with

figures as (
    select
        item, metric, layer_a as layer, value, half_digit,
        case when model_a = 'phi' and model_b = 'glm' then 'glm' else model_a end as base,
        case when model_a = 'phi' and model_b = 'glm' then 'phi' else model_b end as other
    from printed
    where section = '4.4' and metric in ('rel_l2', 'mean_abs_diff') and model_a is not null
),

distances as (
    select model_a as base, model_b as other, layer, rel_l2, mean_abs_diff
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type = 'post_attention_layernorm'
),

-- a figure without a layer may be of one that the paragraph is not about
candidates as (
    select
        item, value, half_digit,
        case metric when 'rel_l2' then rel_l2 else mean_abs_diff end as observed
    from figures
    left join distances
        on
            distances.base = figures.base and distances.other = figures.other
            and (distances.layer = figures.layer or (figures.layer is null and distances.layer <> 20))
)

select
    item,
    'plain' as reading,
    value as expected,
    2 * half_digit as tolerance,
    arg_min(observed, abs(observed - value)) as observed
from candidates
group by item, value, half_digit
order by item
