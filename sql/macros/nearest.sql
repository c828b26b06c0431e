-- one row per other model that shares layers with this one, highest mean Pearson over matched vectors first
-- example: from nearest('glm')
create macro nearest(to_model) as table
select
    row_number() over (order by avg(pearson) desc, model_b) as rank,
    model_b as model,
    count(pearson) as matched_vectors,
    avg(pearson) as pearson_mean,
    min(pearson) as pearson_min,
    max(pearson) as pearson_max,
    avg(cosine) as cosine_mean
from matched_layers
where model_a = to_model and known_model(to_model)
group by model_b
having matched_vectors > 0
order by rank
