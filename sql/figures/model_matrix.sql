-- one row per ordered pair of models of one width at layer 10, input norm; of forty models at most (_shown_models)
-- every model against every other: what the cosine says, and what is left of it
select
    model_a, model_b, d,
    round(cosine, 6) as cosine,
    round(pearson, 6) as pearson
from similarity_matrix(10, among := (select list(shown.model) from _shown_models as shown))
where ln_type = 'input_layernorm'
order by model_a, model_b
