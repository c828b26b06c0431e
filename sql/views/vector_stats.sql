-- one row per vector: its statistics without the lists
-- mean, spread and range by layer; how much of a vector is offset; what is excluded from similarities and why
select
    model, layer, ln_type, d, mean, std, l2_norm, min, max, q01, q25, q50, q75, q99, abs_q99,
    std / nullif(abs(mean), 0) as cv,
    sqrt(d) * mean / nullif(l2_norm, 0) as offset_part,
    sqrt(d) * std / nullif(l2_norm, 0) as pattern_part,
    n_nan, n_inf,
    std = 0 as is_constant,
    case when n_nan + n_inf > 0 then 'has NaN or Inf' end as excluded
from vectors
