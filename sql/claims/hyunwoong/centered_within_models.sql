-- id: hyunwoong.centered_within_models
-- title: Within a model layers stay alike without their means, the more the closer they are.
-- documents: hyunwoong
-- section: 3
-- evidence: weights
-- needs: solar, glm, phi
-- version: 1
-- reading: Centered cosine is the Pearson correlation; layers 10, 20 and 30, both norms, six values per model.
--   "Fairly high": each of the six is below the printed bound and above the largest size that the centered
--   cosine of any two of the three models has at these layers; observed is the lowest of the six. Closer is
--   higher: in both norms 10-20 and 20-30 are above 10-30; observed is the smallest lead. As it is called a
--   tendency, @on_average compares the mean of the four near pairs with the mean of the two far ones.
with

bounds as (
    select distinct item, model_a as model, high
    from printed
    where item like 'hyunwoong.s3.within_centered_high.%'
),

between_models as (
    select max(abs(pearson)) as largest
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'phi') and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

within_models as (
    select model, ln_type, layer_b - layer_a as gap, pearson
    from within_model
    where
        model in ('solar', 'glm', 'phi') and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and layer_a in (10, 20) and layer_b in (20, 30) and layer_a < layer_b
),

by_norm as (
    select
        model, min(pearson) as lowest, max(pearson) as highest,
        min(pearson) filter (gap = 10) - max(pearson) filter (gap = 20) as lead,
        avg(pearson) filter (gap = 10) - max(pearson) filter (gap = 20) as mean_lead
    from within_models
    group by model, ln_type
),

by_model as (
    select
        model, min(lowest) as lowest, max(highest) as highest, min(lead) as lead, avg(mean_lead) as mean_lead
    from by_norm
    group by model
),

compared as (
    from bounds left join by_model using (model) cross join between_models
),

checks (item, statement, holds, observed) as (
    select
        item,
        'all six are above every cross-model value and below the printed bound',
        lowest > largest and highest < high,
        lowest
    from compared
    union all
    select
        'hyunwoong.s3.closer_layers_higher.' || model,
        'layers ten apart are always more alike than layers twenty apart',
        lead > 0,
        lead
    from compared
    union all
    select
        'hyunwoong.s3.closer_layers_higher.' || model || '@on_average',
        'layers ten apart are on average more alike than layers twenty apart',
        mean_lead > 0,
        mean_lead
    from compared
)

select item, statement, holds, observed
from checks
order by item
