-- one row per layer of the model that the variable `asked` names: the norm weights that its MLP reads the residual
-- stream through, by which gate and up are multiplied to fold them
-- The norm before the MLP: the one named so; else the one after attention, unless norms stand behind blocks; else,
-- where attention and MLP read the same, the only one. Some families store w and multiply by 1 + w
with

norms as (
    select
        model, layer, ln_type, weights,
        bool_or(ln_type = 'pre_feedforward_layernorm') over per_layer as has_own,
        bool_or(ln_type = 'post_feedforward_layernorm') over per_layer as stands_behind
    from vectors
    where
        model = getvariable('asked')
        and layer >= 0
        and ln_type in (
            'input_layernorm', 'post_attention_layernorm', 'pre_feedforward_layernorm', 'post_feedforward_layernorm'
        )
    window per_layer as (partition by model, layer)
),

ranked as (
    select
        model, layer, weights,
        row_number() over (
            partition by model, layer
            order by ln_type = 'pre_feedforward_layernorm' desc, ln_type = 'post_attention_layernorm' desc
        ) as place
    from norms
    where
        case
            when has_own then ln_type = 'pre_feedforward_layernorm'
            when stands_behind then false
            else ln_type in ('post_attention_layernorm', 'input_layernorm')
        end
)

select
    ranked.layer, weights,
    regexp_matches(coalesce(architecture, ''), '^(Gemma[23]?|Nemotron|Qwen3Next)For') as plus_one
from ranked
join models using (model)
where place = 1
