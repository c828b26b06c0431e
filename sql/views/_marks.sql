-- one row per model: what it adds to the fingerprint of its lake
-- 48 bits of the sha256 of what it is; a catalog keeps what the marks of all come to as files.marks, since a hundred
-- thousand models take a third of a second
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
)

select model, ('0x' || left(sha256(line || coalesce(lines, '')), 12))::bigint as mark
from model_lines
left join tensor_lines using (model)
