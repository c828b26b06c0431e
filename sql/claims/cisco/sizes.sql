-- id: cisco.sizes
-- title: 64 norms of 4096 weights make 262,144 elements, and take about 500 KB.
-- documents: cisco
-- section: NLF
-- evidence: analytic
-- needs:
-- version: 1
-- reading: The example is 64 norms of 4096 weights. About 500 KB: these in two bytes each, as BF16 and FP16 are
--   stored, within a tenth; a KB is 1000 bytes.
with

figures as (
    select
        max(value) filter (scope = 'example_norms' and metric = 'count') as norms,
        max(value) filter (scope = 'example_norms' and metric = 'dimension_count') as width,
        max(value) filter (scope = 'example_elements') as elements,
        max(value) filter (scope = 'all_norms') as bytes,
        max(half_digit) filter (scope = 'all_norms') as half_digit
    from printed
    where document = 'cisco'
)

select
    'cisco.nlf.' || unnest(['example_262144', 'size_500_kb']) as item,
    'plain' as reading,
    unnest([elements, bytes]) as expected,
    unnest([0, half_digit]) as tolerance,
    unnest([norms * width, norms * width * 2]) as observed
from figures
