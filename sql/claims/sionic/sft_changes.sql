-- id: sionic.sft_changes
-- title: Fine-tuning did not change the norms (Korean text), or barely did.
-- documents: sionic_ko, sionic_en
-- section: B.1 Figure 6, B.2 Figure 7, B.3 Figure 8
-- evidence: weights
-- needs: glm, intellect
-- version: 1
-- reading: Input norm, as in the figures, all layers that GLM and INTELLECT share. Not changed: no stored
--   value differs in any layer; observed is the highest share of changed values. Barely changed: the length
--   of the change is on average over layers below a hundredth of the length of GLM's vector; observed is that
--   average.
with

changes as (
    select changed_ratio, rel_l2
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'input_layernorm'
)

select
    'sionic.fig6.ko_sft_did_not_change' as item,
    'no value of any layer changed' as statement,
    max(changed_ratio) = 0 as holds,
    max(changed_ratio) as observed
from changes
union all
select
    'sionic.figs6_8.sft_barely_changed' as item,
    'vectors moved by less than a hundredth of their length' as statement,
    avg(rel_l2) < 0.01 as holds,
    avg(rel_l2) as observed
from changes
order by item
