-- one row per model that a page shows: those of the documents first, then by name, forty in all
-- the models of matrices and tables over a whole lake; a larger matrix would be unreadable
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
