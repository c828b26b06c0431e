-- one row per group and model in it: the lineage test compares models of one group only
-- Without `groups`, all models, or those `among` the listed, are one group. With it, only models of one list
-- are compared: thousands of single pairs in one query. No two models may be in two lists together
-- example: from lineage_groups(groups := [['glm', 'intellect'], ['glm', 'solar']])
create macro lineage_groups(among := null::varchar[], groups := null::varchar[][]) as table
    with

    -- names that no caller has for a step of its own: DuckDB would take one for the other
    given_groups as (
        select unnest(groups) as members
    ),

    numbered_groups as (
        select members, row_number() over (order by members) as group_number
        from given_groups
    )

    select model, 0 as group_number
    from files.sketches
    where groups is null and (among is null or list_contains(among, model))
    union all
    select unnest(members) as model, group_number
    from numbered_groups
