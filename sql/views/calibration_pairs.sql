-- one row per two models of the zoo whose relation is known, with every statistic; empty before `just calibrate`
-- how often the lineage test is wrong
--
-- relation: independent (two bases), related (a model and one it was made from) or unrelated (a model and another base)
-- grouping: plain, outliers, layernorm, sinusoidal or mixed for two bases; derived; made and base
-- transformation: how the model was made; NULL for two bases
-- kind: child, same start, distilled or disguise; NULL for two bases
-- norms_used: norms that both have and that vary
-- k_eff: how many independent norms the norms used are worth
-- z_naive: z-score as if all norms were independent
-- z_eff: what the verdict is about
-- z_weights: z_eff of the norm weights
-- z_biases: z_eff of the norm biases; NULL where one model has none
-- statistic_used: what z_eff is of
-- verdict: share weight history; no sign of it, and what leaves none; or cannot tell, and why
select
    model_a, model_b, relation, grouping, transformation, kind, norms_used, cosine, pearson, k_eff, z_naive, z_eff,
    z_weights, z_biases, statistic_used, verdict
from files.calibration_pairs
