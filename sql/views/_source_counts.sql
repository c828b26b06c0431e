-- one row per source of the models of a lake, and per model with the name of one of the documents' that is not it
-- `_caution` adds these up; the catalog stores them in files.source_counts, because every command prints the caution
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
