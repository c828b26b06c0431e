-- id: sionic.e2_conclusion
-- title: Model pairs have the input norm cosines and Pearson correlations of table E.2 and the conclusion.
-- documents: sionic_ko, sionic_en
-- section: Conclusion, E.2
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- reading: The conclusion repeats four rows of E.2, which names the input norm. How layers become one figure
--   is not said. The plain items take the mean over the layers that both models have (47 for Solar and GLM,
--   whose MTP layer counts; 46 with INTELLECT; 32 with Phi). @best_layer takes the layer with the highest
--   cosine, as the document's Figures 1, 3 and 4 do.
with printed_figures as (
    select distinct item, model_a, model_b, metric, value, half_digit
    from printed
    where item similar to 'sionic.(conclusion|e2).(cosine|pearson).*' and section in ('Conclusion', 'E.2')
),
matched as (
    select model_a, model_b, layer, cosine, pearson
    from matched_layers
    where
        model_a in ('solar', 'glm', 'intellect') and model_b in ('glm', 'intellect', 'phi')
        and ln_type = 'input_layernorm'
),
readings as (
    select
        model_a, model_b,
        avg(cosine) as cosine_mean, avg(pearson) as pearson_mean,
        max(cosine) as cosine_best, arg_max(pearson, cosine) as pearson_best
    from matched
    group by all
)

select
    printed_figures.item,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    case printed_figures.metric
        when 'cosine' then readings.cosine_mean when 'pearson' then readings.pearson_mean
    end as observed
from printed_figures
left join readings using (model_a, model_b)
union all
select
    printed_figures.item || '@best_layer' as item,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    case printed_figures.metric
        when 'cosine' then readings.cosine_best when 'pearson' then readings.pearson_best
    end as observed
from printed_figures
left join readings using (model_a, model_b)
order by item
