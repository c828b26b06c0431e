-- one row per two models of the table `known`: how they are related, the bases that both come from (`origins`), and
-- whether the test calls them related
--   attacked  whether the model was then disguised in every way that changes no logit
--   reason    why they could not be compared, if so
select
    known.model_a, known.model_b, relation, kind,
    regexp_replace(transformation, '_attacked$', '') as transformation,
    coalesce(ends_with(transformation, '_attacked'), false) as attacked,
    a.origin as origin_a, b.origin as origin_b, z_eff,
    starts_with(verdict, 'share weight history') as is_called,
    split_part(split_part(verdict, ' (', 1), 'cannot tell: ', 2) as reason
from known
join origins as a on a.model = known.model_a
join origins as b on b.model = known.model_b
order by known.model_a, known.model_b, relation
