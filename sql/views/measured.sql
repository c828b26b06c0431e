-- one row per figure that others measured on the released weights and published in a file
-- what is known of the released Solar, GLM and Phi without an ingest from the hub, and from whom
--
-- source: who measured it: a key of `documents`
-- file: their file that has it, in the repository of that source
-- commit: the version of that repository
-- model_a: model of the vector, or the first of two; the base of rel_l2
-- model_b: second model; NULL for a statistic of one vector
-- layer_b: layer of the second vector; NULL for a statistic of one vector
-- ln_type: which norm, k_proj, v_proj or router_gate (the router of a mixture of experts)
-- metric: as in `pairs` and `vectors`, or shuffled_cosine, aligned_expert_cosine, identical_bytes (1 if equal)
-- value: as their file has it, in full precision
select source, file, commit, model_a, layer_a, model_b, layer_b, ln_type, metric, value
from files.measured
