-- one row per norm vector of the residual stream, weights and biases: what the lineage test may use of each model
-- which norms enter the test, and why one does not; q/k norms, MTP layers and matrices are not here
--
-- kind: weights or biases; each is evidence of its own
-- stack: encoder or decoder of a model that has both, else empty; norms are compared within one kind of stack
-- dropped: why the norm does not enter; NULL when it does
select
    model,
    case when ends_with(ln_type, '_bias') then 'biases' else 'weights' end as kind,
    regexp_extract(ln_type, '^(encoder|decoder)_', 1) as stack,
    layer, ln_type, d,
    case
        -- NaN is larger than any number
        when n_nan + n_inf > 0 or std > 1.7976931348623157e308 then 'NaN or Inf'
        when d <> width then 'another width (' || d || ')'
        when std = 0 then 'constant'
        when std < least_cv() * abs(mean) then 'nearly constant'
    end as dropped,
    mean, std, l2_norm, weights, ranks
from files.vectors
join files.sketches using (model)
where is_residual_norm(ln_type) and layer < coalesce(decoder_layers, 32767)
