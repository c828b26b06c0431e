-- the rows of `products`, a view or call given as text, with every metric that follows from inner products and
-- statistics. Each is defined and described here, and every view and macro publishes what it finds here.
-- Undefined is NULL: a constant vector has no Pearson, a zero vector no cosine. Columns that begin with an
-- underscore are what metrics are made of; `kept` says by a regular expression which of the products' columns stay.
--
-- cosine: a·b / ‖a‖‖b‖ = offset_share + pattern_share
-- pearson: correlation of the values, the cosine after each mean is taken out; NULL for a constant vector
-- offset_share: part of the cosine that the two means make; exactly its mean over all permutations of the dimensions
-- pattern_share: part of the cosine that the deviations from the means make
-- permutation_z: pearson·√(d−1), how many standard deviations the cosine stands above its permutations
-- inner_product: a·b
-- l2_distance: Euclidean distance ‖a−b‖
-- rel_l2: ‖a−b‖ / ‖a‖, relative to the first vector
-- cv_diff: difference of the coefficients of variation, absolute
-- p99_abs_diff: difference of the 99 % quantiles of the absolute values, absolute
-- example: select model_b, layer_b, pearson from with_metrics('_vector_grid') where model_a = 'solar'
create macro with_metrics(products, kept := '^[^_]') as table
    with

    with_parts as (
        select
            *,
            offset_share_of(d, _mean_a, _mean_b, _l2_norm_a, _l2_norm_b) as _offset_share,
            pattern_share_of(_pattern_product, _l2_norm_a, _l2_norm_b) as _pattern_share
        from query('from ' || products)
    )

    select
        columns(kept),
        _offset_share + _pattern_share as cosine,
        pearson_of(_pattern_product, d, _std_a, _std_b) as pearson,
        _offset_share as offset_share,
        _pattern_share as pattern_share,
        pearson * sqrt(d - 1) as permutation_z,
        _pattern_product + d * _mean_a * _mean_b as inner_product,
        sqrt(_pattern_distance ** 2 + d * (_mean_a - _mean_b) ** 2) as l2_distance,
        l2_distance / nullif(_l2_norm_a, 0) as rel_l2,
        abs(_std_a / nullif(abs(_mean_a), 0) - _std_b / nullif(abs(_mean_b), 0)) as cv_diff,
        abs(_abs_q99_a - _abs_q99_b) as p99_abs_diff
    from with_parts
