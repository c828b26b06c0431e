-- one row per source of the models of a lake, and per model that is called as one of the documents' without being it
-- what `_caution` sums up; a catalog keeps these rows as files.origins, since every command says them first
with

of_documents as (
    select model_a as model from files.printed
    union
    select model_b as model from files.printed
),

described as (
    select
        source,
        case
            when
                source in ('hub', 'local') and registry_repo is null and model in (select model from of_documents)
                then model
        end as namesake
    from models
)

select source, namesake, count(*) as models
from described
group by source, namesake
