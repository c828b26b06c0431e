-- one row per two real models out of packages, in alphabetical order
-- which of them are related, as far as anybody knows; empty before `just calibrate --real`
--
-- package_a: package and version that the first model came in
-- package_b: package and version that the second model came in
-- relation: related, unrelated, or one model (parts of one model, which were trained together)
-- both_sinusoidal: whether the positions of both are a fixed table of sines and cosines
-- repeated: whether the pair repeats another one, since the norms of one of the two are those of a third model
-- why: in words
select model_a, model_b, package_a, package_b, relation, both_sinusoidal, repeated, why
from files.packaged_truth
