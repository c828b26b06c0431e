-- one row per two released models out of packages that have norms in common, or are related
-- what the lineage test said of models that others trained, when it was last run on them
--
-- package_a: package and version that the first model came in
-- package_b: package and version that the second model came in
-- relation: related, unrelated, or one model (parts of one model, which were trained together)
-- kind: relation, and apart from the rest unrelated pairs that are both sinusoidal
-- both_sinusoidal: whether the positions of both are a fixed table of sines and cosines
-- repeated: whether the pair repeats another one, since the norms of one of the two are those of a third model
-- norms_used: norms that both have and that vary
-- position_z_a: z-score of the autocorrelation of the first model's norms across dimensions
-- position_z_b: z-score of the autocorrelation of the second model's norms across dimensions
-- z_weights: z_eff of the norm weights
-- z_biases: z_eff of the norm biases; NULL where one model has none
-- z_eff: what the verdict is about; NULL where it is undefined
-- needed_z: z_eff from which the two share weight history
-- statistic_used: what z_eff is of
-- verdict: share weight history; no sign of it, and what leaves none; or cannot tell, and why
-- why: what is known of the two, in words
select
    model_a, model_b, package_a, package_b, relation, kind, both_sinusoidal, repeated, norms_used,
    place_z_a as position_z_a, place_z_b as position_z_b,
    z_weights, z_biases, z_eff, needed_z, statistic_used, verdict, why
from files.real_models
