-- id: sionic.e2_e3
-- title: Model pairs have the cosines and Pearson correlations of tables E.2, E.3 and the conclusion.
-- documents: sionic_ko, sionic_en
-- section: Conclusion, E.2, E.3
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 1
-- history: 1 joins sionic.e2_conclusion and sionic.e3, which asked the same of the two norms.
-- reading: E.2 is about the input norm, and the conclusion repeats four of its rows; E.3 is about the
--   post-attention norm. How layers become one figure is not said. The plain items take the mean over the
--   layers that both models have (47 for Solar and GLM, whose MTP layer counts; 46 with INTELLECT; 32 with
--   Phi). @best_layer takes the layer with the highest cosine, as the document's Figures 1, 3 and 4 do.
with

printed_figures as (
    select distinct item, model_a, model_b, ln_type, metric, value, half_digit
    from printed
    where
        item similar to 'sionic.(conclusion|e2|e3).(cosine|pearson).*'
        and section in ('Conclusion', 'E.2', 'E.3')
),

matched as (
    select model_a, model_b, ln_type, layer, cosine, pearson
    from matched_layers
    where
        model_a in ('solar', 'glm', 'intellect') and model_b in ('glm', 'intellect', 'phi')
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

readings as (
    select
        model_a, model_b, ln_type,
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
left join readings using (model_a, model_b, ln_type)
union all
select
    printed_figures.item || '@best_layer' as item,
    printed_figures.value as expected,
    printed_figures.half_digit as tolerance,
    case printed_figures.metric
        when 'cosine' then readings.cosine_best when 'pearson' then readings.pearson_best
    end as observed
from printed_figures
left join readings using (model_a, model_b, ln_type)
order by item
