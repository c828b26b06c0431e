-- one row: how many models a lake has, whence, and why its numbers may be no evidence
-- what `lake` and every answer of another engine says of a lake
with

summed_up as (
    select
        coalesce(sum(models), 0) as models,
        different_names(source) as sources,
        count_if(source = 'replica') > 0 as is_replica,
        different_names(namesake) as namesakes
    from files.origins
)

select
    models, sources,
    case
        when is_replica
            then 'synthetic replica: shows that the machinery works, no evidence about the released weights'
        when namesakes is not null
            then
                'not from the registry''s repo at a hub: ' || namesakes
                || '. What is said of released weights is not judged on that'
    end as caution
from summed_up
