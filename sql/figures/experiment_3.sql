-- one row per ordered pair of four MoE models at layer 10, input norm
-- does the cosine tell the accused pair from any other, and does Pearson
--
-- stated: the cosine that the document prints; NULL where it prints none
with

stated_cosines as (
    select distinct model_a, model_b, value as stated
    from printed
    where document = 'critique_results' and section = 'Experiment 3' and layer_a = 10 and model_a is not null
),

both_ways as (
    from stated_cosines
    union all by name
    select model_b as model_a, model_a as model_b, stated
    from stated_cosines
)

select model_a, model_b, round(cosine, 6) as cosine, round(pearson, 6) as pearson, stated
from similarity_matrix(10, among := ['solar', 'glm', 'phi', 'mixtral'])
left join both_ways using (model_a, model_b)
where ln_type = 'input_layernorm'
order by model_a, model_b
