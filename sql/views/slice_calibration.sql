-- one row per two small models whose relation is known: what norms and slices said of them when last calibrated
-- how often the lineage test on norms and slices is wrong (`just calibrate --slices`)
--
-- seed: of the zoo that the two belong to
-- relation: independent (two bases), related (a model and one it was made from) or unrelated (a model and another base)
-- grouping: plain, outliers, stress (learned weights) or mixed for two bases; derived; made and base
-- transformation: how the model was made; NULL for two bases
-- kind: child, same start, distilled, disguise or limit; NULL for two bases
-- attacked: whether the model was then disguised in every way that changes no logit
-- z_norms: z_eff of the norms; NULL where it is undefined
-- z_order_folded: neurons in stored order, norms multiplied into gate and up
-- z_order_plain: neurons in stored order, as stored
-- z_sign_folded: signs of up, given the partners that gates chose, folded
-- z_sign_plain: signs of up, given the partners that gates chose, as stored
-- z_tokenless_folded: neurons in stored order, without tokens, folded
-- z_tokenless_plain: neurons in stored order, without tokens, as stored
-- share_folded: share of neurons that agree, folded
-- share_plain: share of neurons that agree, as stored
-- p_exact: the smallest p of the exact tests of slices, times their number
-- by_norms: what norms alone say
-- verdict: what norms and slices say together
select
    seed, model_a, model_b, relation, grouping, transformation, kind, attacked, z_norms, z_order_folded, z_order_plain,
    z_sign_folded, z_sign_plain, z_tokenless_folded, z_tokenless_plain, share_folded, share_plain, p_exact, by_norms,
    verdict
from files.slice_calibration
