-- id: sionic.figure_7
-- title: Figure 7: in a joint PCA GLM and INTELLECT coincide, and Solar and Phi lie in regions of their own.
-- documents: sionic_ko, sionic_en
-- section: B.2 Figure 7, F.7, F.8
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- reading: Input norm, layers 0 to 31, four models centred together, three components, each found by 60
--   steps of power iteration on the Gram matrix and taken out of it; the distances are those of what was
--   taken out. Points: observed is their number, four models of 32 layers. Coincide: GLM's and INTELLECT's
--   point of a layer are on average nearer than a twentieth of the distance from GLM's to the nearest of
--   Solar or Phi; observed is the ratio. A region of its own: of three in four of a model's points the
--   nearest other point is the model's, where one in four would be if the models were mixed; observed is the
--   share.
-- history: v2: three points in four make a region, not nine in ten
with recursive

printed_points as (
    select max(value) filter (metric = 'count') * max(value) filter (metric = 'layer_count') as wanted
    from printed
    where item = 'sionic.fig7.layers_0_31'
),

points as (
    select
        model_a as model, layer_a as layer,
        row_number() over (order by model_a, layer_a) as number,
        list(centered_product order by model_b, layer_b) as products
    from centered_gram(['solar', 'glm', 'intellect', 'phi'], 'input_layernorm', range(0, 32))
    group by model_a, layer_a
),

powers as (
    select 1 as component, 0 as step, list(products order by number) as gram, gram[1] as axis
    from points
    union all
    select
        if(step < 60, component, component + 1) as component,
        if(step < 60, step + 1, 0) as step,
        if(step < 60, gram, [[p - image[i] * axis[j] for p, j in line] for line, i in gram]) as gram,
        if(step < 60, [x / sqrt(list_inner_product(image, image)) for x in image], gram[1]) as axis
    from (select *, [list_inner_product(line, axis) for line in gram] as image from powers)
    where component <= 3
),

projected as (
    select model, layer, number, [p - gram[number][j] for p, j in products] as products
    from points
    join powers on component = 4
),

distances as (
    select
        a.model, a.layer, b.model as other, b.layer as other_layer,
        sqrt(greatest(a.products[a.number] + b.products[b.number] - 2 * a.products[b.number], 0)) as distance
    from projected as a
    join projected as b on a.number <> b.number
),

neighbours as (
    select
        model,
        arg_min(other, distance) = model as is_own,
        min(distance) filter (other = 'intellect' and layer = other_layer) as to_intellect,
        min(distance) filter (other in ('solar', 'phi')) as to_others
    from distances
    group by model, layer
),

found as (
    select
        count(*) as points,
        avg(to_intellect) filter (model = 'glm') / avg(to_others) filter (model = 'glm') as distance_ratio,
        avg(is_own::integer) filter (model = 'solar') as solar_own,
        avg(is_own::integer) filter (model = 'phi') as phi_own
    from neighbours
)

select
    unnest([
        'sionic.fig7.layers_0_31', 'sionic.fig7.glm_intellect_overlap', 'sionic.fig7.solar_separate_region',
        'sionic.fig7.phi_separate_region'
    ]) as item,
    'plain' as reading,
    unnest(['all points are there', 'the two coincide', 'Solar is apart', 'Phi is apart']) as statement,
    unnest([points = wanted, distance_ratio < 0.05, solar_own >= 0.75, phi_own >= 0.75]) as holds,
    unnest([points, distance_ratio, solar_own, phi_own]) as observed
from found
cross join printed_points
