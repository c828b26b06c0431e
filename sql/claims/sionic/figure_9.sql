-- id: sionic.figure_9
-- title: Figure 9: each ridge is a histogram of all values of a layer.
-- documents: sionic_ko, sionic_en
-- section: C Figure 9, F.7, F.8
-- evidence: weights
-- needs: solar, glm
-- version: 2
-- reading: Every third layer from 0 to 45, both norms, Solar and GLM. All dimensions and not a sample of
--   them: each of these vectors has as many values as printed; observed is the smallest number. The quoted
--   script counts what lies between the edges of its bins: under within_bins, all values lie there, so that
--   the ridge shows them all; observed is the share that does.
-- history: v2: all dimensions is first of all no sample of them; whether the bins hold every value is asked too
with

printed_width as (
    select max(value) as wanted
    from printed
    where item = 'sionic.fig9.full_dim_histogram'
),

edges as (
    select min(low) as low, max(high) as high
    from printed
    where item = 'sionic.f7.histogram_bins' and metric = 'gamma'
),

spacing as (
    select max(value) as gap
    from printed
    where item = 'sionic.fig9.every_third_layer'
),

ridges as (
    select count(*) as width, avg((value between low and high)::integer) as inside
    from norms
    cross join edges
    cross join spacing
    where
        model in ('solar', 'glm') and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and layer between 0 and 45 and layer % gap = 0
    group by model, ln_type, layer
)

select
    'sionic.fig9.full_dim_histogram' as item,
    unnest(['plain', 'within_bins']) as reading,
    unnest([
        'every layer drawn has all its dimensions', 'every value of them lies within the edges of the bins'
    ]) as statement,
    unnest([min(width) = any_value(wanted), avg(inside) = 1]) as holds,
    unnest([min(width), avg(inside)]) as observed
from ridges
cross join printed_width
