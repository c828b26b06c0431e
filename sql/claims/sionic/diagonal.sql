-- id: sionic.diagonal
-- title: A derived pair shows its diagonal; Solar and GLM show none, at the most favourable layer either.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 1, 2, F.8
-- evidence: weights
-- needs: solar, glm, intellect
-- version: 1
-- reading: Input norm, layers 0 to 45. Darker diagonal: if two models are related, equal layers are more alike in
--   cosine than others; GLM and INTELLECT are the related pair that the document has. Their mean cosine of equal
--   layers is higher than that of all others by more than a hundredth of the colour scale of 0.90 to 1.00;
--   observed is by how much. Most favourable: the layer with the highest cosine of Solar and GLM. plain: for the
--   cosine, by which it was selected; observed is that cosine. for_pearson: it has the highest Pearson
--   correlation, too; observed is the number of layers with a higher one. No 1:1 correspondence: for at most a
--   tenth of Solar's layers the layer of GLM with the highest Pearson correlation is the one of the same number;
--   observed is the share.
with

grid as (
    select model_a, model_b, layer_a, layer_b, cosine, pearson
    from pairs
    where
        model_a in ('solar', 'glm') and model_b in ('glm', 'intellect') and model_a <> model_b
        and ln_type = 'input_layernorm' and layer_a <= 45 and layer_b <= 45
),

related as (
    select avg(cosine) filter (layer_a = layer_b) - avg(cosine) filter (layer_a <> layer_b) as gap
    from grid
    where model_a = 'glm' and model_b = 'intellect'
),

matched as (
    select layer_a as layer, cosine, pearson
    from grid
    where model_a = 'solar' and model_b = 'glm' and layer_a = layer_b
),

best as (
    select max(cosine) as cosine, arg_max(pearson, cosine) as pearson
    from matched
),

higher as (
    select max(best.cosine) as cosine, count_if(matched.pearson > best.pearson) as layers
    from matched
    cross join best
),

nearest as (
    select layer_a, arg_max(layer_b, pearson) as layer_b
    from grid
    where model_a = 'solar' and model_b = 'glm'
    group by layer_a
),

corresponding as (
    select avg((layer_a = layer_b)::integer) as share
    from nearest
)

select
    'sionic.s2.derived_shows_diagonal' as item, 'plain' as reading,
    'equal layers of GLM and INTELLECT are more alike than others' as statement,
    gap > 0.001 as holds, gap as observed
from related
union all
select
    'sionic.fig1.best_layer_is_most_favourable', 'plain',
    'the layer has the highest cosine of Solar and GLM', cosine is not null, cosine
from higher
union all
select
    'sionic.fig1.best_layer_is_most_favourable', 'for_pearson',
    'it has the highest Pearson correlation, too', layers = 0 and cosine is not null, layers
from higher
union all
select
    'sionic.s2.no_layer_correspondence', 'plain',
    'few layers of Solar correlate most with the layer of GLM of the same number', share <= 0.1, share
from corresponding
order by item, reading desc
