-- id: hyunwoong.toy_cosines
-- title: Norms of two small models end nearly parallel when they began as ones, and unrelated when random.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_ones_a, toy_ones_b, toy_rand_a, toy_rand_b
-- version: 1
-- reading: GPT-2's ln_1 is stored as input_layernorm and ln_2 as post_attention_layernorm. The models printed
--   have twelve layers; smaller ones leave the deeper figures undefined. The five printed digits belong to
--   one seed and one machine and cannot be met, so each figure is a band. Ones: within what is left between 1
--   and the document's summary of these values, 0.999. Random: each cosine is a draw around 0, and two draws
--   can be apart by twice the largest size printed. What the experiment shows does not hang on these bands;
--   hyunwoong.toy_directions asserts it sharply.
with

figures as (
    select
        item, model_a, model_b, layer_a as layer, ln_type, value,
        model_a = 'toy_ones_a' as is_ones,
        max(abs(value)) over (partition by model_a) as largest
    from printed
    where
        document = 'hyunwoong' and metric = 'cosine' and layer_a is not null
        and model_a in ('toy_ones_a', 'toy_rand_a')
),

summary as (
    select min(value) as value
    from printed
    where item = 'hyunwoong.toy.ones_about_0_999'
),

cosines as (
    select model_a, model_b, layer, ln_type, cosine
    from matched_layers
    where model_a in ('toy_ones_a', 'toy_rand_a') and model_b in ('toy_ones_b', 'toy_rand_b')
)

select
    figures.item,
    figures.value as expected,
    case when is_ones then 1 - summary.value else 2 * largest end as tolerance,
    cosines.cosine as observed
from figures
cross join summary
left join cosines using (model_a, model_b, layer, ln_type)
order by model_a, ln_type, layer
