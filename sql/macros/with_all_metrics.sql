-- the rows of `joined`, a view or call given as text, with the metrics of with_metrics and those that need the
-- elements of the vectors; each of these is defined and described here, as the others are there
--
-- spearman: correlation of the ranks, unmoved by a few outlier dimensions; NULL for a constant vector and for matrices
-- mean_abs_diff: mean of |a−b| over dimensions
-- max_abs_diff: largest |a−b|
-- changed_ratio: share of dimensions whose stored value differs
-- sign_agreement: share of dimensions with the same sign (zero agrees with zero)
-- example: select model_b, layer_b, mean_abs_diff from with_all_metrics('_joined_vectors') where model_a = 'solar'
create macro with_all_metrics(joined) as table
    with

    subtracted as (
        select *, list_transform(_couples, lambda c: abs(c[1]::double - c[2]::double)) as _abs_diffs
        from with_metrics(joined, kept := '.')
    )

    select
        columns('^[^_]'),
        case when _is_ranked then _rank_cosine end as spearman,
        list_avg(_abs_diffs) as mean_abs_diff,
        list_max(_abs_diffs) as max_abs_diff,
        len(list_filter(_abs_diffs, lambda x: x > 0)) / d as changed_ratio,
        len(list_filter(_couples, lambda c: sign(c[1]) = sign(c[2]))) / d as sign_agreement
    from subtracted
