-- id: printed.matched_gap
-- title: Matched layers are hardly more alike than mismatched ones.
-- documents: sionic_ko, sionic_en
-- section: 2
-- evidence: printed
-- needs:
-- version: 1
-- reading: The text calls the difference between the matched and the mismatched average negligible. Read as:
--   smaller than one standard deviation of the mismatched pairs, so that a matched pair could not be told from
--   a mismatched one by its value. Both metrics are meant; the item takes the larger ratio, which is the
--   cosine's, and the Pearson alone is given as a second reading. With another yardstick the answer can turn,
--   and the printed standard deviations are themselves in doubt (printed.d2_3_spread).
with

averages_and_spreads as (
    select distinct metric, scope, aggregate, value
    from printed
    where section = 'D-2.3'
),

gaps as (
    select
        matched.metric,
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
)

select
    'sionic.s2.matched_mismatched_gap_negligible' as item,
    'neither gap reaches one standard deviation of the mismatched pairs' as statement,
    max(gap_in_deviations) < 1 as holds,
    max(gap_in_deviations) as observed
from gaps
union all
select
    'sionic.s2.matched_mismatched_gap_negligible@pearson' as item,
    'the Pearson gap is below one standard deviation of the mismatched pairs' as statement,
    gap_in_deviations < 1 as holds,
    gap_in_deviations as observed
from gaps
where metric = 'pearson'
order by item
