-- id: findings.layer_10_means
-- title: By experiment 6, Solar, GLM and Phi at layer 10 have smaller mean weights than are printed for all layers.
-- documents: sionic_ko, sionic_en, critique_results
-- section: B.3 Figure 8, 6-2, 6-4
-- evidence: printed
-- needs:
-- version: 3
-- reading: Two vectors at distance D with cosine c are the sides of a triangle, so neither is longer than
--   D / √(1 − c²) (law of sines). Experiment 6 prints both for layer 10: 6-4 bounds Solar and GLM, 6-2 Solar
--   and Phi. The mean of a vector is at most its root mean square, its length / √4096. Compared with it: the
--   means of Figure 8 (0.3 to 0.4, about 1.0, 0.8 to 1.0), which are printed for every layer. Each figure is
--   taken at the end of its rounding that helps. Observed is the largest mean possible.
-- history: v2: a finding of ours, no longer a claim; two checks per model instead of one per sentence
-- history: v3: Figure 8 alone; what all three groups say of norm weights in general binds no single layer
with

distances as (
    select
        section,
        model_a,
        coalesce(model_b, model_a) as model_b,
        max(value + half_digit) filter (metric = 'l2_distance') as distance,
        max(value + half_digit) filter (metric = 'cosine') as cosine
    from printed
    where section in ('6-2', '6-4')
    group by section, model_a, model_b
),

lengths as (
    select
        unnest([model_a, model_b]) as model,
        distance / sqrt(1 - cosine ** 2) as longest
    from distances
),

width as (
    select max(value) as d
    from printed
    where item = 'sionic.e1.hidden_dim.solar'
),

largest_means as (
    select model, min(longest) / sqrt(any_value(d)) as mean
    from lengths
    cross join width
    group by model
),

claimed as (
    select
        model_a as model,
        'figure_8' as place,
        max(coalesce(low, value) - half_digit) as low
    from printed
    where
        item like 'sionic.fig8.mean.%' and model_a in ('solar', 'glm', 'phi')
    group by all
)

select
    claimed.model || '.' || claimed.place as item,
    'plain' as reading,
    'a mean of at least ' || round(claimed.low, 3) || ' is above what is possible at layer 10' as statement,
    claimed.low > largest_means.mean as holds,
    largest_means.mean as observed
from claimed
left join largest_means using (model)
order by item
