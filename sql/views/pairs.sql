-- one row per ordered pair of vectors of one type and width, a vector with itself included
-- how alike are any two layers of any two models; nothing is stored, and a filter on the models is fast
from with_metrics('_vector_grid')
union all by name
from with_metrics('_joined_projections')
