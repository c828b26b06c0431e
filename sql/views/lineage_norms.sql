-- one row per norm weight of the residual stream: what the lineage test may use of each model
-- which norms enter the test, and why one does not; q/k norms, biases, MTP layers and matrices are not here
--
-- dropped: why the norm does not enter; NULL when it does
with

-- fixed before any comparison; inside attention a dimension has a place (rotary frequency), so it cannot be permuted
eligible as (
    from vectors
    where ln_type in (
        'input_layernorm', 'post_attention_layernorm', 'pre_feedforward_layernorm', 'post_feedforward_layernorm',
        'final_norm', 'embedding_norm'
    )
),

decoders as (
    select model, case when mtp_layers > 0 then layers end as layers
    from models
)

select
    model, layer, ln_type, d,
    case
        when n_nan + n_inf > 0 or not isfinite(std) then 'NaN or Inf'
        when std = 0 then 'constant'
        when std < least_cv * abs(mean) then 'nearly constant'
    end as dropped,
    ranks
from eligible
join decoders using (model), lineage_thresholds()
where layer < coalesce(layers, 32767)
