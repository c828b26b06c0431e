-- id: sionic.gamma_between_0_and_1
-- title: In most language models the trained norm weights lie between 0 and 1.
-- documents: sionic_ko, sionic_en
-- section: Summary, 1
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- reading: A model counts when at least 95 % of the weights of its input and post-attention norms lie
--   between the printed bounds; more than half of the models must count. Plain: the four models that the
--   document compares. @all_models: every model of the lake. Observed is the share of models that count.
with

bounds as (
    select min(low) as low, max(high) as high
    from printed
    where item = 'sionic.summary.gamma_between_0_and_1'
),

inside as (
    select
        model,
        count_if(value between low and high) / count(*) as share
    from norms
    cross join bounds
    where ln_type in ('input_layernorm', 'post_attention_layernorm')
    group by model
),

counted as (
    select
        avg((share >= 0.95)::integer) filter (model in ('solar', 'glm', 'intellect', 'phi')) as of_four,
        avg((share >= 0.95)::integer) as of_all
    from inside
)

select
    'sionic.summary.gamma_between_0_and_1' as item,
    'more than half of the four models have 95 % of their norm weights between the bounds' as statement,
    of_four > 0.5 as holds,
    of_four as observed
from counted
union all
select
    'sionic.summary.gamma_between_0_and_1@all_models' as item,
    'more than half of all models here have 95 % of their norm weights between the bounds' as statement,
    of_all > 0.5 as holds,
    of_all as observed
from counted
order by item
