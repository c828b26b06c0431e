-- id: sionic.gamma_between_0_and_1
-- title: In most language models the trained norm weights lie between 0 and 1.
-- documents: sionic_ko, sionic_en
-- section: Summary, 1
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- history: v2: plain takes the norm that the document analyses and nine in ten, since it says "roughly"
-- reading: The English summary says "often roughly", so a model counts when nine in ten of its weights lie
--   between the printed bounds; more than half of the models must count. Observed is the share that does.
--   Plain: the input norm, which the document's figures show, of the four models that it compares. both_norms:
--   the post-attention norm too, as the sentence names neither. all_models: the input norm of every model of
--   the lake, as the sentence is about most language models.
with

bounds as (
    select min(low) as low, max(high) as high
    from printed
    where item = 'sionic.summary.gamma_between_0_and_1'
),

inside as (
    select
        model,
        model in ('solar', 'glm', 'intellect', 'phi') as is_compared,
        avg((value between low and high)::integer) as both_norms,
        avg((value between low and high)::integer) filter (ln_type = 'input_layernorm') as input_norm
    from norms
    cross join bounds
    where ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model
),

shares as (
    select
        'plain' as reading,
        'of the four models, input norm' as what,
        avg((input_norm >= 0.9)::integer) filter (is_compared) as share
    from inside
    union all
    select
        'both_norms' as reading,
        'of the four models, both norms' as what,
        avg((both_norms >= 0.9)::integer) filter (is_compared) as share
    from inside
    union all
    select
        'all_models' as reading,
        'of all models here, input norm' as what,
        avg((input_norm >= 0.9)::integer) as share
    from inside
)

select
    'sionic.summary.gamma_between_0_and_1' as item,
    reading,
    'more than half have nine in ten weights between the bounds: ' || what as statement,
    share > 0.5 as holds,
    share as observed
from shares
order by reading desc
