-- one row: how many models a lake has, where they come from, and why its numbers may be no evidence
-- what `lake` and every answer of another engine says of a lake
with

summed_up as (
    select
        coalesce(sum(models), 0) as models,
        different_names(source) as sources,
        count_if(source = 'replica') > 0 as is_replica,
        coalesce(sum(case when source = 'unknown' then models end), 0) as unknown,
        different_names(namesake) as namesakes
    from files.source_counts
)

select
    models, sources,
    case
        when is_replica then 'synthetic replica: no evidence about the released weights'
        when unknown > 0
            then
                'unknown source of ' || unknown || ' of ' || models
                || ' models: no evidence about released weights'
        when namesakes is not null
            then
                'not from the registry''s repo at a hub: ' || namesakes
                || '. What is said of released weights is not judged on that'
    end as caution
from summed_up
