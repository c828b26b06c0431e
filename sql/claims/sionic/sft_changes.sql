-- id: sionic.sft_changes
-- title: Fine-tuning did not change the norms (Korean text), or barely did.
-- documents: sionic_ko, sionic_en
-- section: B.1 Figure 6, B.2 Figure 7, B.3 Figure 8
-- evidence: weights
-- needs: glm, intellect
-- version: 2
-- history: v2: plain reads "did not change" as the rest of the document does; literally is a further reading
-- reading: Input norm, as in the figures, all layers that GLM and INTELLECT share. Barely changed: the length
--   of the change is on average over layers below a hundredth of the length of GLM's vector; observed is that
--   average. "Did not change" is said once, of nearly identical surfaces; the same sentence in English and the
--   Korean text elsewhere say "barely", so the plain reading is the same. literally: no stored value differs
--   in any layer; observed is the highest share of changed values.
with

changes as (
    select max(changed_ratio) as changed, avg(rel_l2) as moved
    from matched_layers
    where model_a = 'glm' and model_b = 'intellect' and ln_type = 'input_layernorm'
)

select
    unnest([
        'sionic.fig6.ko_sft_did_not_change', 'sionic.fig6.ko_sft_did_not_change', 'sionic.figs6_8.sft_barely_changed'
    ]) as item,
    unnest(['plain', 'literally', 'plain']) as reading,
    unnest([
        'vectors moved by less than a hundredth of their length', 'no value of any layer changed',
        'vectors moved by less than a hundredth of their length'
    ]) as statement,
    unnest([moved < 0.01, changed = 0, moved < 0.01]) as holds,
    unnest([moved, changed, moved]) as observed
from changes
