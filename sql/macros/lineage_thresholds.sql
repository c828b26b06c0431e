-- one row: every number that the lineage test decides by; `just calibrate` measures how often they mislead
--   share_z      z_eff from which two models share weight history: 4,150 pairs of models without relation stay
--                below 3, the weakest honest child of the zoo (a merge of two models with outliers) has 5.7
--   silent_z     z_eff below which there is no sign of it; between the two nothing is said
--   least_norms  fewer usable norms than this are too few
--   least_cv     a norm whose std / |mean| is below this is nearly constant: its pattern is rounding
-- example: from lineage_thresholds()
create macro lineage_thresholds() as table
select 5.0 as share_z, 4.0 as silent_z, 3 as least_norms, 1e-5 as least_cv
