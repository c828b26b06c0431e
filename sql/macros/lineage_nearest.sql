-- one row per other model of the same width, highest z_eff first: who shares weight history with this one?
-- example: from lineage_nearest('glm')
create macro lineage_nearest(to_model) as table
select
    row_number() over (order by z_eff desc, model_a, model_b) as rank,
    case when model_a = to_model then model_b else model_a end as model,
    norms_used, pearson_mean, spearman_mean, k_eff, z_eff, verdict
from lineage_pairs()
where to_model in (model_a, model_b) and z_eff is not null and known_model(to_model)
order by rank
