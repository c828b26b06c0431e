-- one row per repo by which a model of the lake can be declared, in lower case: the model that has its norms
-- a duplicate has the norms of the model that is stored; a renamed repo is known by both names
with

names as (
    select repo as name, model, 0 as place from models
    union all
    select renamed_to as name, model, 1 as place from models
    union all
    select repo as name, same_as as model, 2 as place from duplicates
    union all
    select renamed_to as name, same_as as model, 3 as place from duplicates
)

select lower(name) as name, min_by(model, (place, model)) as model
from names
where name is not null and model is not null
group by all
