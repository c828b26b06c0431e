-- id: accusation.relatives
-- title: Norms diverge after a common start, stay in descendants, and change least in early layers.
-- documents: accusation_report, accusation_output
-- section: report lines 183-184; probe_layer_decay.py lines 8-11
-- evidence: toy
-- needs: b00, b00_ft_long_high
-- version: 4
-- reading: Models trained here whose history is known, six layers of width 96, both norms. Diverge from a common
--   start: sixteen models begun with the weights of another and trained on other data or in another order; plain:
--   the mean cosine of a pair falls below the 0.97 in question; observed is the lowest; pattern: the correlation
--   falls below 0.9 on average. Preserved in descendants: models trained on, briefly or long, at a low or full
--   rate; the mean cosine stays at 0.97 or more; observed is the lowest. That independent models have it, too, is
--   another item. Early layers keep more in continual pretraining: said of models of many layers, and not decided by
--   six; named is the cosine of layers 0 to 2 minus that of layers 3 to 5, on average over models trained on for
--   longer than their parent was. Cho has the same expectation (cho.descent).
-- history: v2: what further pretraining does with depth is untestable, as it is for Cho: six layers, and a difference
--   of 0.001, cannot stand for models of 46
-- history: v3: says so in a lake without trained models, too
-- history: v4: the diagonal is a claim of its own (accusation.diagonal); readings are the same
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
)

select 'accusation.' || item as item, reading, statement, holds, observed
from checks
order by item, reading desc
