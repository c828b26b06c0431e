-- id: hyunwoong.centered_within_models
-- title: Within a model layers stay alike without their means, and tend to be more so the closer they are.
-- documents: hyunwoong
-- section: 3
-- evidence: weights
-- needs: solar, glm, phi
-- version: 2
-- reading: Centered cosine is the Pearson correlation; layers 10, 20 and 30, both norms, six values per model.
--   "Fairly high", against what other models give: each of the six is below the printed bound and above the
--   largest size that the centered cosine of any two of the three models has at these layers; observed is the
--   lowest of the six. Closer is higher, called a tendency: the mean of the four pairs of layers ten apart is
--   above the mean of the two twenty apart; observed is the lead.
-- history: v2: returns its reading; the tendency is asked on average, no longer of each pair
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

by_model as (
    select
        model, min(pearson) as lowest, max(pearson) as highest,
        avg(pearson) filter (layer_b - layer_a = 10) - avg(pearson) filter (layer_b - layer_a = 20) as lead
    from within_model
    where
        model in ('solar', 'glm', 'phi') and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and layer_a in (10, 20) and layer_b in (20, 30) and layer_a < layer_b
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
        'layers ten apart are on average more alike than layers twenty apart',
        lead > 0,
        lead
    from compared
)

select item, 'plain' as reading, statement, holds, observed
from checks
order by item
