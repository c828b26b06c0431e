-- id: printed.matched_gap
-- title: Matched layers are hardly more alike than mismatched ones.
-- documents: sionic_ko, sionic_en
-- section: 2, D-2.3
-- evidence: printed
-- needs:
-- version: 2
-- reading: The text calls the difference between the matched and the mismatched average negligible. plain: in size, the
--   cosine and the Pearson each by less than 0.01; observed is the larger, the cosine's, 0.0098, so that
--   the bound is a generous one: it was chosen as the round number above. in_deviations: smaller than
--   one standard deviation of the mismatched pairs as D-2.3 prints it, so that a matched pair could not be told
--   from a mismatched one by its value; observed is the larger ratio. Those deviations do not fit the critique's
--   layer 0 (findings.d2_3_spread); with larger ones the answer turns.
-- history: v2: the size of the difference is the plain reading, the printed deviations one beside it
with

averages_and_spreads as (
    select distinct metric, scope, aggregate, value
    from printed
    where section = 'D-2.3'
),

gaps as (
    select
        matched.metric,
        abs(matched.value - mismatched.value) as gap,
        abs(matched.value - mismatched.value) / spread.value as gap_in_deviations
    from averages_and_spreads as matched
    join averages_and_spreads as mismatched using (metric, aggregate)
    join averages_and_spreads as spread using (metric)
    where
        aggregate = 'mean'
        and matched.scope = 'matched_layers'
        and mismatched.scope = 'mismatched_pairs'
        and spread.scope = 'mismatched_pairs'
        and spread.aggregate = 'std'
),

largest as (
    select max(gap) as gap, max(gap_in_deviations) as gap_in_deviations
    from gaps
)

select
    'sionic.s2.matched_mismatched_gap_negligible' as item,
    unnest(['plain', 'in_deviations']) as reading,
    unnest([
        'neither average differs by as much as 0.01',
        'neither differs by a printed standard deviation of the mismatched pairs'
    ]) as statement,
    unnest([gap < 0.01, gap_in_deviations < 1]) as holds,
    unnest([gap, gap_in_deviations]) as observed
from largest
