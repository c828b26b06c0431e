-- one row per item with a printed figure: the models that its figures are about
select
    item,
    list_distinct(list_filter(flatten([list(model_a), list(model_b)]), lambda m: m is not null)) as models
from printed
group by item
