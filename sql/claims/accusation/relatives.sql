-- id: accusation.relatives
-- title: Norms diverge after a common start, stay in descendants, change least in early layers, and match by
--   layer.
-- documents: accusation_report, accusation_output
-- section: report lines 183-184; probe_layer_decay.py lines 8-11, layer_decay_analysis.png
-- evidence: toy
-- needs: b00, b00_ft_long_high
-- version: 3
-- reading: Models trained here whose history is known, six layers of width 96, both norms. Diverge from a common
--   start: sixteen models begun with the weights of another and trained on other data or in another order; plain:
--   the mean cosine of a pair falls below the 0.97 in question; observed is the lowest; pattern: the correlation
--   falls below 0.9 on average. Preserved in descendants: models trained on, briefly or long, at a low or full
--   rate; the mean cosine stays at 0.97 or more; observed is the lowest. That independent models have it, too, is
--   another item. Early layers keep more in continual pretraining: said of models of many layers, and not decided by
--   six; named is the cosine of layers 0 to 2 minus that of layers 3 to 5, on average over models trained on for
--   longer than their parent was. Cho has the same expectation (cho.descent). A dominant diagonal as a sign of one
--   origin: of the layers of a parent, more than half are most like the same layer of its descendant, and less than
--   half are between independent models (a sixth, by chance); observed is the share in descendants. Of Solar and GLM
--   the authors' script found none.
-- history: v2: what further pretraining does with depth is untestable, as it is for Cho: six layers, and a difference
--   of 0.001, cannot stand for models of 46
-- history: v3: says so in a lake without trained models, too
with

related as (
    select parent, child, transformation
    from lineage_truth
    where
        transformation in ('same_start_other_data', 'same_start_same_data', 'continued_10x')
        or transformation in ('ft_short_low', 'ft_short_high', 'ft_long_low', 'ft_long_high')
),

compared as (
    select
        child, transformation,
        transformation in ('ft_long_low', 'ft_long_high', 'continued_10x') as is_long,
        avg(cosine) as cosine,
        avg(pearson) as pearson,
        avg(cosine) filter (layer <= 2) - avg(cosine) filter (layer >= 3) as kept_early
    from related
    join matched_layers on model_a = parent and model_b = child
    where ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by child, transformation
),

summed as (
    select
        min(cosine) filter (transformation like 'same_start%') as start_cosine,
        avg(pearson) filter (transformation like 'same_start%') as start_pearson,
        min(cosine) filter (transformation like 'ft_%') as child_cosine,
        avg(kept_early) filter (is_long) as kept_early
    from compared
),

strangers as (
    select a.child as parent, b.child, 'none' as transformation
    from lineage_truth as a
    join lineage_truth as b on a.child < b.child and a.kind = b.kind
    where a.parent is null and b.parent is null and a.kind = 'independent'
),

descendants_and_strangers as (
    select * from related where transformation like 'ft_%'
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
),

checks (item, reading, statement, holds, observed) as (
    select
        'report.hyp.same_start.norms', 'plain', 'the mean cosine of a pair falls below 0.97', start_cosine < 0.97,
        start_cosine
    from summed
    union all
    select
        'report.hyp.same_start.norms', 'pattern', 'the correlation falls below 0.9 on average', start_pearson < 0.9,
        start_pearson
    from summed
    union all
    select
        'report.hyp.descent.norms', 'plain', 'the mean cosine of every descendant stays at 0.97 or more',
        child_cosine >= 0.97, child_cosine
    from summed
    union all
    select
        'output.decay.expectation', 'plain',
        concat('not decided here: six layers are too few; early minus later cosines: ', round(kept_early, 3)),
        null, null
    from summed
    union all
    select
        'output.decay.diagonal_is_evidence', 'plain', 'it dominates in descendants and not in independent models',
        of_descendants > 0.5 and of_strangers < 0.5, of_descendants
    from diagonals
)

select 'accusation.' || item as item, reading, statement, holds, observed
from checks
order by item, reading desc
