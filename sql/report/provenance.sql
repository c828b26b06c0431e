-- one row per model: where it comes from, and how much of it was read
with

vectors_read as (
    select model, count(*) as vectors, sum(byte_end - byte_begin) as bytes_read
    from tensors
    group by model
)

select
    model, repo, commit, source, endpoint, licence, architecture, hidden_size, layers, mtp_layers, dtype,
    coalesce(vectors, 0) as vectors,
    coalesce(bytes_read, 0) as bytes_read,
    file_bytes
from models
left join vectors_read using (model)
order by model
