-- one row: every number that the lineage test decides by; `just calibrate` measures how often they mislead
--   share_z        z from which two models share weight history: five standard deviations, which chance exceeds once
--                  in 3 million pairs
--   share_z_twice  the same where weights and biases are both asked: each may err half as often
--   silent_z       within so many of 0, on either side, there is no sign of it; beyond, and below share_z, nothing is
--                  said
--   least_norms    fewer usable norms than this are too few
--   least_cv       a norm whose std / |mean| is below this is nearly constant: its pattern is rounding
--   position_z     a model whose norms correlate with themselves beyond this z, shifted by a few dimensions or by half
--                  of them, may have dimensions in a smooth order; its ranks are then detrended
--   period_z, echo_z
--                  beyond these, shifted by a period of 3 to 8 dimensions or by any single lag, they have an order that
--                  detrending does not remove: the test cannot tell
--   normal_up_to   the largest product of one dimension of either model, in standard deviations of the statistic, up
--                  to which the normal distribution describes chance; else the bound of Bernstein does
--   tail_exponent  -ln of the chance beyond share_z_twice, which that bound has to reach
--   of slices, set before the zoo of `slice_calibration` was trained:
--   disguised_share    share of agreeing neurons from which two models share weight history, in disguise
--   silent_share       share below which there is no sign of it
--   least_tokens       fewer tokens that both have than this are too few
--   least_read         of the neurons of at least one of the two so many must have been read to judge that share
--   coupling_z         gates and ups of one model that agree beyond this z are not independent: the test cannot tell
--   sampled_neurons    so many of the model with fewer are compared with all of the other
-- example: from lineage_thresholds()
create macro lineage_thresholds() as table
    select
        5e0 as share_z, 5.13e0 as share_z_twice, 4e0 as silent_z, 3 as least_norms, least_cv() as least_cv,
        2e0 as position_z, 5e0 as period_z, 5e0 as echo_z, 1.25e0 as normal_up_to,
        15.75e0 as tail_exponent,
        0.2e0 as disguised_share, 0.1e0 as silent_share, 128 as least_tokens, 0.5e0 as least_read,
        5e0 as coupling_z, 256 as sampled_neurons
