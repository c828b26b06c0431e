-- one row per layer that two models share
-- the difference of a layer's two norms: its mean and spread in each model, and how alike the models are in it
--
-- diff_mean_a: mean of input norm minus post-attention norm in the first model; likewise for std and b
-- pearson: correlation of the two models' difference vectors
-- pearson_band: two standard deviations of it over all orders of the dimensions
-- is_mtp: whether it is a multi-token-prediction layer of the second model, beyond its decoder
with

chosen as (
    select
        coalesce(getvariable('model_a'), 'solar') as model_a,
        coalesce(getvariable('model_b'), 'glm') as model_b
),

first_differences as (
    select model as model_a, layer, d, diff_mean as diff_mean_a, diff_std as diff_std_a
    from within_layer
),

second_differences as (
    select model as model_b, layer, d, diff_mean as diff_mean_b, diff_std as diff_std_b
    from within_layer
),

correlations as (
    select layer, d, pearson
    from within_layer_compare(
        coalesce(getvariable('model_a'), 'solar'), coalesce(getvariable('model_b'), 'glm')
    )
)

select
    model_a, model_b, layer, d,
    round(diff_mean_a, 6) as diff_mean_a,
    round(diff_std_a, 6) as diff_std_a,
    round(diff_mean_b, 6) as diff_mean_b,
    round(diff_std_b, 6) as diff_std_b,
    round(pearson, 6) as pearson,
    round(2 / sqrt(d - 1), 6) as pearson_band,
    coalesce(layer >= models.layers and models.mtp_layers > 0, false) as is_mtp
from chosen
join first_differences using (model_a)
join second_differences using (model_b, layer, d)
join correlations using (layer, d)
left join models on models.model = model_b
order by layer
