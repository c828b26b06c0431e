-- one row per two layers compared and form: do ups stand to the gates of their own model as their twins do?
-- Needs no token: the cosines of an up with the gates of its model stay as they are when the stream is turned, and can
-- be held against another model's also where an embedding was replaced. Given sizes, the sign of each is a fair coin
--   agreement  Σ s, where s is the inner product of an up's cosines and its twin's
--   squares    Σ s²
with

compared as (
    select comparison, form, list_inner_product(a.profile, b.profile) as similarity
    from profiles as a
    join profiles as b using (comparison, form, part)
    where a.side = 'a' and b.side = 'b' and part = 'up by gates' and a.twin = b.twin
)

select
    comparison, form,
    count(*) as neurons,
    sum(similarity) as agreement,
    sum(similarity ** 2) as squares
from compared
group by comparison, form
