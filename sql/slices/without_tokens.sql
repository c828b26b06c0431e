-- one row per two layers compared and form: do ups stand to the gates of their own model as their twins do?
-- Needs no token: the cosines of an up with the gates of its model stay as they are when the stream is turned, and can
-- be held against another model's also where an embedding was replaced. Given sizes, the sign of each is a fair coin
--   agreement  Σ s, where s is the similarity of an up's cosines and its twin's
--   squares    Σ s²
select
    comparison, form,
    count(*) as neurons,
    sum(similarity) as agreement,
    sum(similarity ** 2) as squares
from similarities
where matrix = 'up by gates'
group by comparison, form
