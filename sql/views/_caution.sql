-- one row: how many models a lake has, whence, and why its numbers may be no evidence
-- what `lake` and every answer of another engine says of a lake
with

of_documents as (
    select model_a as model from files.printed
    union
    select model_b as model from files.printed
),

described as (
    select
        model, source,
        source in ('hub', 'local') and registry_repo is null and model in (select model from of_documents)
            as is_namesake
    from models
),

summed_up as (
    select
        count(*) as models,
        different_names(source) as sources,
        count_if(source = 'replica') > 0 as is_replica,
        different_names(case when is_namesake then model end) as namesakes
    from described
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
