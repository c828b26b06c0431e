-- one row per norm and width that the models `model_a` and `model_b` share: the figures that sentences are made of
-- what does the comparison of two models say, against what chance gives
--
-- judged: layers whose correlation is defined
-- chance_std: standard deviation of the correlation over such shuffles
with

against_chance as (
    select
        ln_type, d,
        count(permutation_z) as judged,
        avg(changed_ratio) as changed_mean
    from compare(getvariable('model_a'), getvariable('model_b'))
    group by ln_type, d
)

select
    ln_type, d, matched_layers, cosine_mean, cosine_min, cosine_max, offset_share_mean, pattern_share_mean,
    pearson_mean, pearson_min, pearson_max, judged,
    1 / sqrt(nullif(d - 1, 0)) as chance_std,
    pearson_mismatched_mean, mismatched_pairs, changed_mean
from summary(getvariable('model_a'), getvariable('model_b'))
join against_chance using (ln_type, d)
order by ln_type, d
