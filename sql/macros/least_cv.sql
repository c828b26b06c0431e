-- a norm whose std / |mean| is below this is nearly constant: its pattern is rounding
-- a function, unlike the other numbers of `lineage_thresholds`: joined as a row it would keep DuckDB from reading the
-- models asked about only
-- example: select least_cv()
create macro least_cv() as 1e-5
