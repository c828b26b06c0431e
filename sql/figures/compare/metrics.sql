-- one row per norm and metric: mean and range over the layers that the models `model_a` and `model_b` share
-- how alike are two models, by everything that is measured
--
-- layers: of how many layers the metric is defined
-- layer_of_high: the layer with the highest value
with

compared as (
    from compare(getvariable('model_a'), getvariable('model_b'))
),

metrics as (
    from compared
    unpivot include nulls (
        figure for metric in (
            cosine, pearson, spearman, offset_share, pattern_share, permutation_z, l2_distance, rel_l2, cv_diff,
            p99_abs_diff, mean_abs_diff, max_abs_diff, changed_ratio, sign_agreement
        )
    )
)

select
    ln_type, metric,
    count(figure) as layers,
    avg(figure) as mean,
    min(figure) as low,
    max(figure) as high,
    arg_max(layer, figure) as layer_of_high
from metrics
group by ln_type, metric
order by
    ln_type,
    list_position([
        'cosine', 'offset_share', 'pattern_share', 'pearson', 'spearman', 'permutation_z', 'sign_agreement',
        'rel_l2', 'l2_distance', 'mean_abs_diff', 'max_abs_diff', 'p99_abs_diff', 'cv_diff', 'changed_ratio'
    ], metric)
