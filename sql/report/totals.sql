-- one row: how much a lake holds
select
    (select count(*) from models) as models,
    (select count(*) from tensors) as vectors,
    (select coalesce(sum(values), 0)::bigint from tensors) as values,
    (select coalesce(sum(file_bytes), 0)::bigint from models) as file_bytes,
    (select fingerprint from lake) as fingerprint
