-- one row: every number that the lineage test decides by; `just calibrate` measures how often they mislead
--   share_z      z_eff from which two models share weight history: five standard deviations, which chance exceeds once
--                in 3 million pairs. Of 4,990 pairs of small models without relation the highest has 2.95 in the
--                shipped zoo, with which it was set, and 3.19 in one of other seeds trained afterwards (`just zoo
--                --seed 10000`); the weakest honest child has 5.7 and 5.4, a merge of two models with outliers
--   silent_z     z_eff below which there is no sign of it; between the two nothing is said
--   least_norms  fewer usable norms than this are too few
--   least_cv     a norm whose std / |mean| is below this is nearly constant: its pattern is rounding
-- example: from lineage_thresholds()
create macro lineage_thresholds() as table
    select 5e0 as share_z, 4e0 as silent_z, 3 as least_norms, 1e-5 as least_cv
