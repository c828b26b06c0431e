-- one row per norm vector of the residual stream, weights and biases: what the lineage test may use of each model
-- which norms enter the test, and why one does not; q/k norms, MTP layers and matrices are not here
--
-- part: weights or biases; each is evidence of its own
-- stack: encoder or decoder of a model that has both, else empty; norms are compared within one kind of stack
-- dropped: why the norm does not enter; NULL when it does
with

-- fixed before any comparison; inside attention a dimension has a place (rotary frequency), so it cannot be permuted
eligible as (
    select
        *,
        case when ends_with(ln_type, '_bias') then 'biases' else 'weights' end as part,
        regexp_extract(ln_type, '^(encoder|decoder)_', 1) as stack
    from files.vectors
    where regexp_replace(ln_type, '^(encoder|decoder)_|_bias$', '', 'g') in (
        'input_layernorm', 'post_attention_layernorm', 'cross_attention_layernorm', 'pre_feedforward_layernorm',
        'post_feedforward_layernorm', 'final_norm', 'embedding_norm'
    )
),

decoders as (
    select model, case when mtp_layers > 0 then layers end as layers
    from models
),

-- the width of the residual stream is that of most norms; an embedding norm may be narrower
widths as (
    select model, mode(d) as width
    from eligible
    group by model
)

select
    model, part, stack, layer, ln_type, d,
    case
        when n_nan + n_inf > 0 or not isfinite(std) then 'NaN or Inf'
        when d <> width then format('another width ({})', d)
        when std = 0 then 'constant'
        when std < least_cv * abs(mean) then 'nearly constant'
    end as dropped,
    ranks
from eligible
join decoders using (model)
join widths using (model), lineage_thresholds()
where layer < coalesce(layers, 32767)
