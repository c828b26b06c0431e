-- one row per rule, set of models and what is counted: unrelated pairs called related, and related pairs found
-- the rules of others beside the lineage test, on the same pairs of known relation
--
-- low, high: the 95 % interval of the rate, by a bootstrap over models, which pairs share
with

false_calls as (
    select rule, sum(called / pairs) as rate
    from peer_rules
    where counted = 'unrelated pairs called related' and models = 'zoo'
    group by rule
)

select rule, models, counted, called, pairs, called / pairs as rate, low, high
from peer_rules
join false_calls using (rule)
order by false_calls.rate, rule, models desc, counted desc
