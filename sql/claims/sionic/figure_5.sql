-- id: sionic.figure_5
-- title: Figure 5: of six model pairs only GLM and INTELLECT correlate; Solar–GLM is like the rest.
-- documents: sionic_ko, sionic_en
-- section: 4, 4 Figure 5
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 3
-- reading: Input norm, layers 0 to 46 where a model has them. A white cell is one with |Pearson| within 0.05,
--   half of the ±0.1 scale that Figure 2 gives for Pearson; observed is the share of white cells. Mostly
--   white, as the English text says: more than half are. Under whole, after the Korean text: 95 % are, as
--   chance alone keeps a few from being so. The only pair that correlates: GLM–INTELLECT alone has a mean
--   Pearson above 0.5 on the diagonal; observed is how many pairs do. That it is the only derived pair is
--   sionic.what_norms_cannot_decide. Indistinguishable: the mean Pearson of
--   Solar–GLM's matched layers differs from that of Solar–Phi's and GLM–Phi's together by less than 1.96
--   standard errors. A model's layers repeat one pattern in part, so the mean of many is as uncertain as one
--   correlation at most, √(2/(d−1)) for a difference; under independent_layers, the standard error is
--   Welch's, the smallest that can be meant. Observed is the difference in standard errors. INTELLECT's pairs
--   are left out there: they repeat GLM's.
-- history: v2: mostly is more than half; layers need not be independent
-- history: v3: a correlation is judged as one; whether a pair is derived no norm can settle
with

wanted as (
    select distinct item, model_a, model_b
    from printed
    where item like 'sionic.fig5.near_zero.%'
),

scale as (
    select max(high) / 2 as near_zero
    from printed
    where item = 'sionic.fig2b.pearson_near_zero_everywhere' and metric = 'colour_range'
),

grid as (
    select model_a, model_b, d, layer_a = layer_b as is_matched, pearson
    from pairs
    where
        (model_a, model_b) in (
            ('solar', 'glm'), ('solar', 'intellect'), ('solar', 'phi'), ('glm', 'intellect'), ('glm', 'phi'),
            ('intellect', 'phi')
        )
        -- pairs of names are filtered late; single names reach the scan
        and model_a in ('solar', 'glm', 'intellect') and model_b in ('glm', 'intellect', 'phi')
        and ln_type = 'input_layernorm' and layer_a <= 46 and layer_b <= 46
),

heatmaps as (
    select
        model_a, model_b,
        avg((abs(pearson) <= near_zero)::integer) as white,
        avg(pearson) filter (is_matched) as diagonal
    from grid
    cross join scale
    group by model_a, model_b
),

diagonals as (
    select
        abs(avg(pearson) filter (model_b = 'glm') - avg(pearson) filter (model_b = 'phi')) as difference,
        sqrt(2 / (min(d) - 1)) as one_layer_error,
        sqrt(
            var_samp(pearson) filter (model_b = 'glm') / count(*) filter (model_b = 'glm')
            + var_samp(pearson) filter (model_b = 'phi') / count(*) filter (model_b = 'phi')
        ) as welch_error
    from grid
    where is_matched and model_a in ('solar', 'glm') and model_b in ('glm', 'phi')
)

select
    item,
    unnest(['plain', 'whole']) as reading,
    unnest(['more than half of the cells are white', '95 % of them are']) as statement,
    unnest([white > 0.5, white >= 0.95]) as holds,
    white as observed
from wanted
left join heatmaps using (model_a, model_b)
union all
select
    'sionic.fig5.only_correlating_pair' as item, 'plain' as reading,
    'GLM–INTELLECT and no other pair has a mean Pearson above 0.5' as statement,
    count_if(diagonal > 0.5) = 1 and max_by(model_a || '_' || model_b, diagonal) = 'glm_intellect' as holds,
    count_if(diagonal > 0.5) as observed
from heatmaps
union all
select
    'sionic.s4.solar_glm_indistinguishable' as item,
    unnest(['plain', 'independent_layers']) as reading,
    'Solar–GLM and the Phi pairs differ by less than 1.96 standard errors' as statement,
    unnest([difference < 1.96 * one_layer_error, difference < 1.96 * welch_error]) as holds,
    unnest([difference / one_layer_error, difference / welch_error]) as observed
from diagonals
order by item, reading
