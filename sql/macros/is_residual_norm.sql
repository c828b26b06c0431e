-- whether norms of this type stand in the residual stream, which is what the lineage test compares; fixed before it saw
-- any model. Inside attention a dimension has a place (rotary frequency), so it cannot be permuted
-- Every name is spelled out: a question asks it of each vector of a lake, and a regular expression takes twice the time
-- example: select is_residual_norm('input_layernorm')
create macro is_residual_norm(ln_type) as
ln_type in (
    'input_layernorm', 'encoder_input_layernorm', 'decoder_input_layernorm',
    'post_attention_layernorm', 'encoder_post_attention_layernorm', 'decoder_post_attention_layernorm',
    'cross_attention_layernorm', 'encoder_cross_attention_layernorm', 'decoder_cross_attention_layernorm',
    'pre_feedforward_layernorm', 'encoder_pre_feedforward_layernorm', 'decoder_pre_feedforward_layernorm',
    'post_feedforward_layernorm', 'encoder_post_feedforward_layernorm', 'decoder_post_feedforward_layernorm',
    'final_norm', 'encoder_final_norm', 'decoder_final_norm',
    'embedding_norm', 'encoder_embedding_norm', 'decoder_embedding_norm',
    'input_layernorm_bias', 'encoder_input_layernorm_bias', 'decoder_input_layernorm_bias',
    'post_attention_layernorm_bias', 'encoder_post_attention_layernorm_bias', 'decoder_post_attention_layernorm_bias',
    'cross_attention_layernorm_bias', 'encoder_cross_attention_layernorm_bias',
    'decoder_cross_attention_layernorm_bias',
    'pre_feedforward_layernorm_bias', 'encoder_pre_feedforward_layernorm_bias',
    'decoder_pre_feedforward_layernorm_bias',
    'post_feedforward_layernorm_bias', 'encoder_post_feedforward_layernorm_bias',
    'decoder_post_feedforward_layernorm_bias',
    'final_norm_bias', 'encoder_final_norm_bias', 'decoder_final_norm_bias',
    'embedding_norm_bias', 'encoder_embedding_norm_bias', 'decoder_embedding_norm_bias'
)
