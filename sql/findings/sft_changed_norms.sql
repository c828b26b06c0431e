-- id: findings.sft_changed_norms
-- title: Beside Figure 6 the Korean text says that fine-tuning did not change the norms; its section 3 says how much.
-- documents: sionic_ko
-- section: B.1 Figure 6, 3 Figure 3-1(a)
-- evidence: printed
-- needs:
-- version: 2
-- reading: An observation about one sentence: the English text says barely in its place, and so does the Korean one
--   beside Figures 7 and 8. Section 3 prints the share of values that changed, which is above 0 at either end of
--   the model. Observed is the share.
-- history: v2: a finding of ours, no longer a claim; that values changed is shown
with

shares as (
    select scope, max(value - half_digit) as at_least, max(value) as share
    from printed
    where
        document = 'sionic_ko'
        and metric = 'changed_ratio'
        and scope in ('early_layers', 'deep_layers')
    group by scope
)

select
    scope as item,
    'plain' as reading,
    'values changed' as statement,
    at_least > 0 as holds,
    share as observed
from shares
order by scope
