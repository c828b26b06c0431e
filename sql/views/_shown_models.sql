-- one row per model that a page has room for: those of the documents first, then by name, forty in all
-- what matrices and tables over all models of a lake are made of; a matrix of more could not be read
with

of_documents as (
    select distinct unnest([model_a, model_b]) as model
    from printed
)

select models.model
from models
left join of_documents using (model)
order by of_documents.model is null, models.model
limit 40
