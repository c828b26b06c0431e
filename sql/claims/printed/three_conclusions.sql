-- id: printed.three_conclusions
-- title: The conclusion announces three conclusions.
-- documents: sionic_ko, sionic_en
-- section: Conclusion
-- evidence: printed
-- needs:
-- version: 2
-- reading: The sentence announces three, and the paragraphs that follow count a first and a second and end. The
--   announced number is the larger printed figure, the counted one the smaller. A matter of wording alone.
-- history: v2: names its reading
with

numbers as (
    select item, max(value) as announced, min(value) as counted, max(half_digit) as half_digit
    from printed
    where item = 'sionic.conclusion.three_conclusions'
    group by item
)

select
    item,
    'plain' as reading,
    announced as expected,
    half_digit as tolerance,
    counted as observed
from numbers
