-- one row: the lake that this catalog reads
-- what the numbers come from, and whether they are evidence
with

model_lines as (
    select
        model, norms_digest is null as is_undigested,
        concat_ws(chr(9), model, repo, commit, source, norms_digest, projections_digest) || chr(10) as line
    from models
),

-- of models that an earlier version wrote, without a digest
tensor_lines as (
    select
        model,
        string_agg(concat_ws(chr(9), layer, ln_type, dtype, sha256) || chr(10), '' order by ln_type, layer) as lines
    from tensors
    where model in (select model from model_lines where is_undigested)
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
