-- one row: the lake that this catalog reads
-- what the numbers come from, and whether they are evidence
with

model_lines as (
    select model, concat_ws(chr(9), model, repo, commit, source) || chr(10) as line
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
        left(sha256(coalesce(string_agg(line || coalesce(lines, ''), '' order by model), '')), 12) as fingerprint
    from model_lines
    left join tensor_lines using (model)
)

select lake, models, sources, fingerprint, caution
from _caution, summed_up, files.catalog
