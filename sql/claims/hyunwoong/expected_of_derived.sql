-- id: hyunwoong.expected_of_derived
-- title: What derivation would look like in differences and tails; the accusation's rule would also relate GLM to Phi.
-- documents: hyunwoong
-- section: 2 discussion 1, 4.2, 4.3
-- evidence: weights
-- needs: solar, glm, phi, intellect
-- version: 1
-- reading: Both norms at layers 10, 20 and 30. Smaller difference, likely similar tails: of the related pair that
--   is stored, GLM and INTELLECT, mean_abs_diff (p99_abs_diff) is in all six vectors below that of Solar and GLM;
--   observed is in how many. Phi, too: the rule that high cosines of equal layers mean derivation, at the
--   document's bound of 0.9, also holds of GLM and Phi in all six; observed is their lowest cosine. That GLM is
--   not derived from Phi is the document's belief, and is not judged.
with

compared as (
    select
        model_a || '_' || model_b as pair, layer, ln_type, cosine, mean_abs_diff, p99_abs_diff
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi', 'intellect') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

high as (
    select min(low) as cosine
    from printed
    where item like 'hyunwoong.s2.cross_cosine_gt_0_9.%'
),

vectors as (
    select
        count_if(related.mean_abs_diff < disputed.mean_abs_diff) as nearer,
        count_if(related.p99_abs_diff < disputed.p99_abs_diff) as tails,
        count(*) as n
    from compared as related
    join compared as disputed using (layer, ln_type)
    where related.pair = 'glm_intellect' and disputed.pair = 'solar_glm'
),

third as (
    select min(compared.cosine) as lowest, min(high.cosine) as bound
    from compared
    cross join high
    where pair = 'glm_phi'
)

select
    'hyunwoong.s2.glm_from_phi_by_the_same_rule' as item, 'plain' as reading,
    'GLM and Phi have high cosines in the same layers' as statement, lowest >= bound as holds, lowest as observed
from third
union all
select
    'hyunwoong.s4_2.derived_has_smaller_difference', 'plain',
    'GLM and INTELLECT differ less than Solar and GLM', nearer = n and n > 0, nearer
from vectors
union all
select
    'hyunwoong.s4_3.derived_has_similar_tails', 'plain',
    'the tails of GLM and INTELLECT differ less than those of Solar and GLM', tails = n and n > 0, tails
from vectors
order by item
