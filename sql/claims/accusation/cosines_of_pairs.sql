-- id: accusation.cosines_of_pairs
-- title: The cosines that are printed for single pairs of layers: layer 0 within each model, and equal layers of
--   both.
-- documents: accusation, accusation_report
-- section: lines 28, 35, 94, 191-208; report lines 65-71
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: The norm is the one that lines 191-208 and the report's table name; where none is named, the input
--   norm. Solar's and GLM's layer 10 at 0.989: plain, this pair, which line 205 has at 0.981094; mean_of_four: the
--   mean of layers 10, 20, 30 and 40, which is 0.989 in line 209. Solar's layer 10 and GLM's layer 20 at 0.38:
--   plain, the input norm; post: the other norm. (0.38 is also the page's baseline, of layer 0 within a model.)
--   Six digits are those of double precision; values of BF16 vectors in single precision differ by up to two units
--   of the sixth digit, which is allowed.
with

figures as (
    select distinct item, model_a, layer_a, model_b, layer_b, ln_type, value, half_digit
    from printed
    where
        document in ('accusation', 'accusation_report') and metric = 'cosine' and relation = '='
        and layer_a is not null and layer_b is not null and scope is null
),

readings (item, reading) as (
    select distinct item, 'plain' from figures
    union all
    values
    ('accusation.readme.observed.layer10_0_989', 'mean_of_four'),
    ('accusation.readme.interp.s10_g20_0_38', 'post')
),

cosines as (
    select model_a, layer_a, model_b, layer_b, ln_type, cosine
    from pairs
    where
        model_a in ('solar', 'glm') and model_b in ('solar', 'glm')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
        and (layer_a = layer_b or layer_a in (0, 10)) and layer_b in (0, 1, 2, 3, 10, 20, 30, 40, 45)
),

others as (
    select
        avg(cosine) filter (
            layer_a = layer_b and layer_a in (10, 20, 30, 40) and ln_type = 'input_layernorm'
        ) as mean_of_four,
        max(cosine) filter (layer_a = 10 and layer_b = 20 and ln_type = 'post_attention_layernorm') as post
    from cosines
    where model_a = 'solar' and model_b = 'glm'
)

select
    figures.item,
    reading,
    figures.value as expected,
    greatest(figures.half_digit, 0.000002) as tolerance,
    case reading
        when 'plain' then cosines.cosine
        when 'mean_of_four' then mean_of_four
        else post
    end as observed
from figures
join readings using (item)
left join cosines using (model_a, layer_a, model_b, layer_b, ln_type)
cross join others
order by figures.item, reading = 'plain' desc, reading
