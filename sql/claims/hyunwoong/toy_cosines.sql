-- id: hyunwoong.toy_cosines
-- title: Norms of two small models end nearly parallel when they began as ones, and unrelated when random.
-- documents: hyunwoong
-- section: 2 discussion 2
-- evidence: toy
-- needs: toy_ones_a, toy_ones_b, toy_rand_a, toy_rand_b
-- version: 3
-- reading: GPT-2's ln_1 is stored as input_layernorm and ln_2 as post_attention_layernorm. The models printed
--   have twelve layers; smaller ones leave the deeper figures undefined. The five printed digits belong to
--   one seed and one machine; another run can meet what is left when the seed changes. Ones: the order of
--   magnitude of 1 - cosine, so that it is between a tenth of the printed one and ten times as much. Random:
--   a figure is a draw around 0, whose sign and digits no other seed repeats; what it can repeat is a size that
--   unrelated vectors have, at most four standard deviations, 4 / sqrt(d). Neither sign nor digits are judged.
--   Undefined unless both of our models learned their sequences, as theirs did.
-- history: v2: order of magnitude (ones) and size of chance (random) in place of bands so wide that they said nothing
-- history: v3: undefined unless both of our models learned
with

figures as (
    select item, model_a, model_b, layer_a as layer, ln_type, value, model_a = 'toy_ones_a' as is_ones
    from printed
    where
        document = 'hyunwoong' and metric = 'cosine' and layer_a is not null
        and model_a in ('toy_ones_a', 'toy_rand_a')
),

learned as (
    select model
    from toy_losses
    where has_learned
),

cosines as (
    select model_a, model_b, layer, ln_type, cosine, d
    from matched_layers
    semi join learned as learned_a on learned_a.model = model_a
    semi join learned as learned_b on learned_b.model = model_b
    where model_a in ('toy_ones_a', 'toy_rand_a') and model_b in ('toy_ones_b', 'toy_rand_b')
)

select
    figures.item,
    'plain' as reading,
    case
        when is_ones then format('1 - cosine is within a factor of ten of {:.5f}', 1 - value)
        else format('the size is that of chance, as that of {:.5f} is', value)
    end as statement,
    case
        when is_ones then (1 - cosine) / (1 - value) between 0.1 and 10
        else abs(cosine) <= 4 / sqrt(d)
    end as holds,
    cosines.cosine as observed
from figures
left join cosines using (model_a, model_b, layer, ln_type)
order by model_a, ln_type, layer
