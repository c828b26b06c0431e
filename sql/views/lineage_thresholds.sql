-- one row: every number that the lineage test decides by
-- where the verdict's words begin; `just calibrate` measures how often they are wrong on models of known ancestry
--
-- share_z: z_eff from which two models share weight history
-- silent_z: z_eff below which there is no sign of it; between the two nothing is said
-- least_norms: fewer usable norms than this are too few
-- least_cv: a norm whose std / |mean| is below this is nearly constant: its pattern is rounding
select 6.0 as share_z, 4.0 as silent_z, 3 as least_norms, 1e-5 as least_cv
