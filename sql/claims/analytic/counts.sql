-- id: analytic.counts
-- title: Numbers that follow from 47 layers of 4096 two-byte values.
-- documents: sionic_ko, sionic_en, critique_readme
-- section: Scale, Scope, D-2.2, Technical details
-- evidence: analytic
-- needs:
-- version: 2
-- reading: Length of a vector of ones: √4096. Norm weights of 47 layers, one norm each: 47 · 4096, printed as
--   about 190 thousand; the Korean text counts in ten thousands (19만), so half of that digit, 5000, is the
--   tolerance. Mismatched layer pairs: 47 · 47 − 47. Bytes of one vector: 4096 · 2, printed as 8 KB; half of
--   the digit, 500, also covers KB read as 1024.
-- history: v2: names the reading of each row
with

figures as (
    select item, metric, scope, max(value) as value, max(half_digit) as half_digit
    from printed
    where relation in ('=', '≈')
    group by item, metric, scope
),

inputs as (
    select
        max(value) filter (item = 'sionic.scale.ones_norm_64' and metric = 'dimension_count') as ones,
        max(value) filter (item = 'sionic.scope.parameter_count_190k' and metric = 'dimension_count') as width,
        max(value) filter (item = 'sionic.scope.parameter_count_190k' and metric = 'layer_count') as layers,
        max(value) filter (item = 'sionic.d2_2.offdiag_count_2162' and metric = 'layer_count') as side,
        max(value) filter (item = 'critique.readme.ln_size_8kb' and metric = 'dimension_count') as vector_width,
        max(value) filter (item = 'critique.readme.ln_size_8kb' and metric = 'bytes_per_value') as value_bytes
    from figures
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    case figures.item
        when 'sionic.scale.ones_norm_64' then sqrt(ones)
        when 'sionic.scope.parameter_count_190k' then layers * width
        when 'sionic.d2_2.offdiag_count_2162' then side * side - side
        when 'critique.readme.ln_size_8kb' then vector_width * value_bytes
    end as observed
from figures
cross join inputs
where (figures.item, figures.metric) in (
    ('sionic.scale.ones_norm_64', 'l2_norm'),
    ('sionic.scope.parameter_count_190k', 'parameter_count'),
    ('sionic.d2_2.offdiag_count_2162', 'count'),
    ('critique.readme.ln_size_8kb', 'bytes')
)
order by figures.item
