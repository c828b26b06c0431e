-- one row per pair of models without any relation, in its group; pairs of two bases once more in `all bases`
with

unrelated as (
    from known where relation <> 'related' and z_eff is not null
)

from unrelated
union all
select * replace ('all bases' as grouping) from unrelated where relation = 'independent'
