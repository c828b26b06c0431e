-- one row per norm and layer of the released Solar and GLM, as the sanity check published them
-- how much of each published cosine do the published means and standard deviations alone predict
--
-- predicted: u * u, with u = mean / sqrt(mean ** 2 + std ** 2): the offset share of the cosine
-- pearson_band: two standard deviations of Pearson over shuffled dimensions of 4096 values
-- source: who measured it: a key of `documents`; file and commit likewise
with

published as (
    select
        source, file, commit, ln_type, layer_a as layer,
        any_value(value) filter (metric = 'cosine') as cosine,
        any_value(value) filter (metric = 'pearson') as pearson,
        any_value(value) filter (metric = 'mean' and model_a = 'solar') as mean_a,
        any_value(value) filter (metric = 'std' and model_a = 'solar') as std_a,
        any_value(value) filter (metric = 'mean' and model_a = 'glm') as mean_b,
        any_value(value) filter (metric = 'std' and model_a = 'glm') as std_b
    from measured
    where source = 'sanity_outputs'
    group by all
)

select
    ln_type, layer,
    round(cosine, 6) as cosine,
    round(mean_a / sqrt(mean_a ** 2 + std_a ** 2) * mean_b / sqrt(mean_b ** 2 + std_b ** 2), 6) as predicted,
    round(pearson, 6) as pearson,
    round(2 / sqrt(4095), 6) as pearson_band,
    source, file, commit
from published
order by ln_type, layer
