-- id: printed.sft_changed_norms
-- title: Fine-tuning GLM into INTELLECT did not change the norm weights.
-- documents: sionic_ko
-- section: B.1 Figure 6, 3 Figure 3-1(a)
-- evidence: printed
-- needs:
-- version: 1
-- reading: The Korean text says so beside Figure 6; the English one says that they barely changed. Section 3
--   prints the share of changed values by layer. Unchanged means that no layer's share is above 0. Barely is
--   not decided here. Observed is the share.
with

shares as (
    select item, max(value - half_digit) as at_least, max(value) as share
    from printed
    where
        document = 'sionic_ko'
        and metric = 'changed_ratio'
        and scope in ('early_layers', 'deep_layers')
    group by item
)

select
    'printed.sft_changed_norms.' || item as item,
    'no value changed' as statement,
    at_least <= 0 as holds,
    share as observed
from shares
order by item
