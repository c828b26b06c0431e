-- one row per set of models, rule and what is counted: how often rules of others and the lineage test are right
-- false calls and found children by rule (`just calibrate --peers`)
--
-- models: zoo (trained here, which ships) or real (released, out of packages)
-- rule: what two models must reach to be called related; on norm weights alone
-- counted: unrelated pairs called related, or related pairs found (of the zoo, unaltered children)
-- called: how many pairs reach it
-- pairs: of how many that the rule can be applied to
-- low: lower end of the 95 % interval of called / pairs, by a bootstrap over models, which pairs share
-- high: upper end of it
select models, rule, counted, called, pairs, low, high
from files.peer_rules
