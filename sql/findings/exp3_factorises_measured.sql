-- id: findings.exp3_factorises_measured
-- title: The six layer-10 cosines of experiment 3 are products of one number per model, measured on the weights.
-- documents: critique_results
-- section: Experiment 3
-- evidence: weights
-- needs: solar, glm, phi, mixtral
-- version: 2
-- reading: Six cosines between four models look like six facts about pairs. Each vector alone has one number,
--   u = √d·mean/length, the cosine of its angle to (1, …, 1). If the product of two such numbers gives the
--   printed cosine, nothing in it belongs to the pair: a model of the same u, related or not, would have had
--   the same cosine. Tolerance is half a digit and 0.0005, what a Pearson of a few hundredths adds for models
--   whose pattern is a tenth to a third of the vector. The fit to the printed figures alone, without weights,
--   is findings.exp3_factorises. Input norms. Observed is the product.
-- history: v2: a finding of ours, no longer a claim; checks have short names
with

cosines as (
    select distinct model_a, model_b, layer_a as layer, ln_type, value, half_digit
    from printed
    where section = 'Experiment 3' and metric = 'cosine' and aggregate is null
),

offsets as (
    select model, layer, ln_type, offset_part as u
    from vector_stats
)

select
    cosines.model_a || '_' || cosines.model_b as item,
    'plain' as reading,
    cosines.value as expected,
    cosines.half_digit + 0.0005 as tolerance,
    a.u * b.u as observed
from cosines
left join offsets as a on a.model = cosines.model_a and (a.layer, a.ln_type) = (cosines.layer, cosines.ln_type)
left join offsets as b on b.model = cosines.model_b and (b.layer, b.ln_type) = (cosines.layer, cosines.ln_type)
order by item
