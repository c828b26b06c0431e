-- id: sionic.figure_3_1_levels
-- title: Figure 3-1: the share of values that fine-tuning changed falls with depth in three levels.
-- documents: sionic_ko, sionic_en
-- section: 3 Figure 3-1
-- evidence: weights
-- needs: glm, intellect
-- version: 1
-- reading: Input norm, layers 0 to 45. A level holds when every layer of its group is within it (a range
--   within half a digit at both ends); observed is the share of the group's layers inside. Not frozen: some
--   value changed; observed is the highest changed share. Falls with depth: Spearman correlation of layer and
--   mean |difference| below −0.9. Byte by byte: both models store BF16, and the checksum of at least one
--   layer's bytes differs; observed is in how many layers it does. Concentrated early: the first third of the
--   layers, 0 to 14, has more than half of all changed values; observed is its part.
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
        layer, changed_ratio,
        rank() over (order by mean_abs_diff)
        + (count(*) over (partition by mean_abs_diff) - 1) / 2 as place,
        case
            when layer <= 2 then 'layers_0_2' when layer <= 12 then 'layers_3_12' else 'layers_13_up'
        end as scope
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'input_layernorm'
),

inside as (
    select item, avg((changed_ratio between low and high)::integer) as share
    from levels
    left join changes using (scope)
    group by item
),

stored as (
    select
        count_if(g.sha256 <> i.sha256) as differ,
        bool_and(g.dtype = 'BF16' and i.dtype = 'BF16') as are_bf16
    from tensors as g
    join tensors as i using (layer, ln_type)
    where g.model = 'glm' and i.model = 'intellect' and ln_type = 'input_layernorm'
)

select item, 'every layer of the group is within the level' as statement, share = 1 as holds, share as observed
from inside
union all
select 'sionic.fig3_1a.not_frozen', 'some values changed', max(changed_ratio) > 0, max(changed_ratio)
from changes
union all
select
    'sionic.fig3_1b.declines_with_depth' as item,
    'deeper layers differ by less' as statement,
    corr(layer, place) < -0.9 as holds,
    corr(layer, place) as observed
from changes
union all
select 'sionic.fig3_1b.bytewise_bf16', 'stored BF16 bytes differ', are_bf16 and differ > 0, differ
from stored
union all
select
    'sionic.s3.changes_concentrated_early' as item,
    'the first third of the layers has more than half of the changed values' as statement,
    sum(changed_ratio) filter (layer < 15) > 0.5 * sum(changed_ratio) as holds,
    sum(changed_ratio) filter (layer < 15) / sum(changed_ratio) as observed
from changes
order by item
