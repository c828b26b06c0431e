-- one row per two real models, from the table `real_pairs`: the families that both belong to, and what the test says
-- families: models that are related, or parts of one model: their pairs are no independent trials
with recursive

models as (
    select distinct unnest([model_a, model_b]) as model from real_pairs
),

stated (one, other) as (
    select model_a, model_b from real_pairs where relation in ('related', 'one model')
    union
    select model, regexp_replace(model, '_(en|de)coder$', '') from models
),

links (one, other) as (
    from stated
    union
    select other, one from stated
),

connected (one, other) as (
    select model as one, model as other from models
    union
    select connected.one, links.other
    from connected
    join links on links.one = connected.other
),

families as (
    select one as model, min(other) as family from connected group by one
)

select
    real_pairs.*,
    a.family as family_a, b.family as family_b,
    verdict = 'share weight history' as is_shared,
    starts_with(verdict, 'cannot tell') as is_open
from real_pairs
join families as a on a.model = model_a
join families as b on b.model = model_b
