-- whether norms of this type stand in the residual stream, which is what the lineage test compares; fixed before it saw
-- any model. Inside attention a dimension has a place (rotary frequency), so it cannot be permuted
-- example: select is_residual_norm('input_layernorm')
create macro is_residual_norm(ln_type) as
regexp_replace(ln_type, '^(encoder|decoder)_|_bias$', '', 'g') in (
    'input_layernorm', 'post_attention_layernorm', 'cross_attention_layernorm', 'pre_feedforward_layernorm',
    'post_feedforward_layernorm', 'final_norm', 'embedding_norm'
)
