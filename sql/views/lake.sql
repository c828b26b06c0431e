-- one row: the lake that this catalog reads
-- what the numbers come from, and whether they are evidence
with

documents_models as (
    select distinct unnest([model_a, model_b]) as model
    from printed
),

model_lines as (
    select
        model, source,
        source in ('hub', 'local') and registry_repo is null
        and model in (select d.model from documents_models as d) as is_namesake,
        concat_ws(chr(9), model, repo, commit, source) || chr(10) as line
    from models
),

tensor_lines as (
    select
        model,
        string_agg(concat_ws(chr(9), layer, ln_type, dtype, sha256) || chr(10), '' order by ln_type, layer) as lines
    from tensors
    group by all
),

summed_up as (
    select
        count(*) as models,
        string_agg(distinct source, ', ' order by source) as sources,
        coalesce(bool_or(source = 'replica'), false) as is_replica,
        string_agg(model, ', ' order by model) filter (where is_namesake) as namesakes,
        left(sha256(coalesce(string_agg(line || coalesce(lines, ''), '' order by model), '')), 12) as fingerprint
    from model_lines
    left join tensor_lines using (model)
)

select
    lake, models, sources, fingerprint,
    case
        when is_replica
            then 'synthetic replica: shows that the machinery works, no evidence about the released weights'
        when namesakes is not null
            then format(
                'not from the registry''s repo at a hub: {}. What is said of released weights is not judged on that',
                namesakes
            )
    end as caution
from summed_up, files.catalog
