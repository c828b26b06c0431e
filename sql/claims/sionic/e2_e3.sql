-- id: sionic.e2_e3
-- title: Model pairs have the cosines and Pearson correlations of tables E.2, E.3 and the conclusion.
-- documents: sionic_ko, sionic_en
-- section: Conclusion, E.2, E.3
-- evidence: weights
-- needs: solar, glm, intellect, phi
-- version: 2
-- history: 1 joins sionic.e2_conclusion and sionic.e3, which asked the same of the two norms.
-- history: v2: cosines with Phi at the best layer, which the rows cite, and the other figures as means; a
--   figure may be cut off as well as rounded
-- reading: E.2 is about the input norm, and the conclusion repeats four of its rows; E.3 is about the
--   post-attention norm. How layers become one figure is not said. A Pearson correlation is the mean over the
--   layers that both models have, as in Figure 5 (47 for Solar and GLM, whose MTP layer counts; 46 with
--   INTELLECT; 32 with Phi). So is a cosine without Phi, as in D-2.3. A cosine with Phi is that of the layer
--   where it is highest: the conclusion cites Figure 4, which shows that layer. best_layer: Pearson with Phi
--   at that layer too. A figure may be rounded or cut off: above the printed one a whole digit is allowed.
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

summed_up as (
    select
        model_a, model_b, ln_type,
        avg(cosine) as cosine_mean, avg(pearson) as pearson_mean,
        max(cosine) as cosine_best, arg_max(pearson, cosine) as pearson_best
    from matched
    group by all
),

found as (
    select
        printed_figures.*,
        'plain' as reading,
        case
            when metric = 'pearson' then pearson_mean
            when model_b = 'phi' then cosine_best
            else cosine_mean
        end as observed
    from printed_figures
    left join summed_up using (model_a, model_b, ln_type)
    union all
    select printed_figures.*, 'best_layer' as reading, summed_up.pearson_best as observed
    from printed_figures
    left join summed_up using (model_a, model_b, ln_type)
    where printed_figures.metric = 'pearson' and model_b = 'phi'
)

select
    item,
    reading,
    value as expected,
    half_digit * if(observed > value, 2, 1) as tolerance,
    observed
from found
order by item, reading desc
