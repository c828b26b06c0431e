-- id: sionic.figure_3_1_levels
-- title: Figure 3-1: the share of values that fine-tuning changed falls with depth in three levels.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3-1
-- evidence: weights
-- needs: glm, intellect
-- version: 2
-- reading: Input norm, layers 0 to 45. A level holds when every layer of its group is within it (a range
--   within half a digit at both ends); observed is the share of the group's layers inside. Under average,
--   the group's mean share is within it. Not frozen: some value changed, which is what the inference rests
--   on; observed is the highest changed share. Falls with depth: the mean |difference| is lower at layer 40
--   than at layer 0, the two that are named, and its Spearman correlation with the layer, which is observed,
--   is negative. Byte by byte: both models store BF16, and the checksum of at least one layer's bytes
--   differs; observed is in how many layers it does. Concentrated early: the first third of the layers, 0 to
--   14, has more than half of all changed values; observed is its part.
-- history: v2: a level may be the average of its layers; to fall with depth is a negative correlation, where
--   one below −0.9 was asked
with

levels as (
    select
        item, scope,
        max(coalesce(low - if(relation = 'range', half_digit, 0), 0)) as low,
        max(coalesce(high + if(relation = 'range', half_digit, 0), 1)) as high
    from printed
    where item similar to 'sionic.fig3_1a.layers.*'
    group by item, scope
),

changes as (
    select
        layer, changed_ratio, mean_abs_diff,
        rank() over (order by mean_abs_diff)
        + (count(*) over (partition by mean_abs_diff) - 1) / 2 as place,
        case
            when layer <= 2 then 'layers_0_2' when layer <= 12 then 'layers_3_12' else 'layers_13_up'
        end as scope
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'input_layernorm'
),

groups as (
    select
        item,
        avg((changed_ratio between low and high)::integer) as inside,
        avg(changed_ratio) as average,
        average between any_value(low) and any_value(high) as is_average_inside
    from levels
    left join changes using (scope)
    group by item
),

trend as (
    select
        corr(layer, place) as spearman,
        max(mean_abs_diff) filter (layer = 40) < max(mean_abs_diff) filter (layer = 0) as is_lower,
        max(changed_ratio) as highest,
        sum(changed_ratio) filter (layer < 15) / sum(changed_ratio) as early_part
    from changes
),

stored as (
    select
        count_if(g.sha256 <> i.sha256) as differ,
        bool_and(g.dtype = 'BF16' and i.dtype = 'BF16') as are_bf16
    from tensors as g
    join tensors as i using (layer, ln_type)
    where g.model = 'glm' and i.model = 'intellect' and ln_type = 'input_layernorm'
)

select
    item,
    unnest(['plain', 'average']) as reading,
    unnest(['every layer of the group is within the level', 'the group''s mean is']) as statement,
    unnest([inside = 1, is_average_inside]) as holds,
    unnest([inside, average]) as observed
from groups
union all
select
    unnest([
        'sionic.fig3_1a.not_frozen', 'sionic.fig3_1b.declines_with_depth', 'sionic.s3.changes_concentrated_early'
    ]) as item,
    'plain' as reading,
    unnest([
        'some values changed', 'deeper layers tend to differ by less',
        'the first third of the layers has more than half of the changed values'
    ]) as statement,
    unnest([highest > 0, is_lower and spearman < 0, early_part > 0.5]) as holds,
    unnest([highest, spearman, early_part]) as observed
from trend
union all
select 'sionic.fig3_1b.bytewise_bf16', 'plain', 'stored BF16 bytes differ', are_bf16 and differ > 0, differ
from stored
order by item, reading
