-- id: cisco.norm_vectors
-- title: Models of 32 layers have about 64 to 128 norm vectors, each as long as the hidden size.
-- documents: cisco
-- section: NLF
-- evidence: weights
-- needs: mixtral, mistral_7b, yi_6b, internlm2_7b, qwen15_7b
-- version: 1
-- reading: Norm weights, without biases, of the models of 32 layers in the lake. Observed of the number is the one
--   furthest from the middle of the range; of the width, how many models have a layer norm of another width than
--   that before their first layer.
with

counted as (
    select model, count(*) as vectors, max(layer) + 1 as layers
    from vector_stats
    where not ends_with(ln_type, '_bias')
    group by model
),

widths as (
    select a.model, bool_and(a.d = b.d) as is_one
    from vector_stats as a
    join vector_stats as b on a.model = b.model and b.layer = 0 and b.ln_type = 'input_layernorm'
    where a.ln_type in ('input_layernorm', 'post_attention_layernorm', 'final_norm')
    group by a.model
),

figures as (
    select low, high from printed where item = 'cisco.nlf.vectors_64_to_128'
)

select
    'cisco.nlf.vectors_64_to_128' as item, 'plain' as reading,
    'every model of 32 layers has 64 to 128' as statement,
    bool_and(vectors between low and high) as holds,
    arg_max(vectors, abs(vectors - (low + high) / 2)) as observed
from counted
cross join figures
where layers = 32
union all
select
    'cisco.nlf.width_is_hidden_size', 'plain', 'all layer norms of a model have one width',
    bool_and(is_one), count_if(not is_one)
from widths
