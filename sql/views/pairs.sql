-- one row per ordered pair of vectors of one type and width, a vector with itself included
-- how alike are any two layers of any two models; nothing is stored, and a filter on the models is fast
select * exclude (spearman, mean_abs_diff, max_abs_diff, changed_ratio, sign_agreement)
from _measured_pairs
