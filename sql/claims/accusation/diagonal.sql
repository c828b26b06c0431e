-- id: accusation.diagonal
-- title: In the matrix of all pairs of layers, a dominant diagonal is a sign of one origin.
-- documents: accusation_output
-- section: layer_decay_analysis.png
-- evidence: toy
-- needs: b00, b00_ft_long_high
-- version: 1
-- reading: Models trained here whose history is known, six layers of width 96, both norms: of the layers of a
--   parent, more than half are most like the same layer of its descendant, and less than half are between
--   independent models (a sixth, by chance); observed is the share in descendants. Of Solar and GLM the authors'
--   script found none.
with

strangers as (
    select a.child as parent, b.child, 'none' as transformation
    from lineage_truth as a
    join lineage_truth as b on a.child < b.child and a.kind = b.kind
    where a.parent is null and b.parent is null and a.kind = 'independent'
),

descendants_and_strangers as (
    select parent, child, transformation
    from lineage_truth
    where transformation in ('ft_short_low', 'ft_short_high', 'ft_long_low', 'ft_long_high')
    union all
    select * from strangers
),

best as (
    select parent, child, transformation, layer_a, arg_max(layer_b, cosine) as layer_b
    from (
        select parent, child, transformation, layer_a, layer_b, avg(cosine) as cosine
        from descendants_and_strangers
        join pairs on model_a = parent and model_b = child
        where ln_type in ('input_layernorm', 'post_attention_layernorm')
        group by all
    )
    group by all
),

diagonals as (
    select
        avg((layer_a = layer_b)::integer) filter (transformation <> 'none') as of_descendants,
        avg((layer_a = layer_b)::integer) filter (transformation = 'none') as of_strangers
    from best
)

select
    'accusation.output.decay.diagonal_is_evidence' as item,
    'plain' as reading,
    'it dominates in descendants and not in independent models' as statement,
    of_descendants > 0.5 and of_strangers < 0.5 as holds,
    of_descendants as observed
from diagonals
