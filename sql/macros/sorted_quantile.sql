-- a quantile of a list in ascending order, linear between neighbours, as quantile_cont gives
-- example: select sorted_quantile([1.0, 2.0, 4.0], 0.75)
create macro sorted_quantile(ascending, share) as
ascending[1 + floor((len(ascending) - 1) * share)::bigint]::double
+ ((len(ascending) - 1) * share::double - floor((len(ascending) - 1) * share))
* (
    ascending[1 + ceil((len(ascending) - 1) * share)::bigint]::double
    - ascending[1 + floor((len(ascending) - 1) * share)::bigint]::double
)
