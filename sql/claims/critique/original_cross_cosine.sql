-- id: critique.original_cross_cosine
-- title: The original analysis found a cosine of 0.989 between the same layers of Solar and GLM.
-- documents: critique_readme, critique_now
-- section: Background
-- evidence: weights
-- needs: solar, glm
-- version: 3
-- reading: Quoted from the earlier analysis, which compared layers 10, 20, 30 and 40; the baseline quoted beside
--   it names them. So the mean of these four cosines of the input norm.
-- history: v2: one reading; the mean over all layers is another quantity, and both could never hold
-- history: v3: two versions of the README quote it
with

figures as (
    select distinct item, value, half_digit
    from printed
    where item = 'critique.readme.bg.cross_0_989'
),

cosines as (
    select avg(cosine) as mean
    from matched_layers
    where
        model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm'
        and layer in (10, 20, 30, 40)
)

select
    figures.item,
    'plain' as reading,
    figures.value as expected,
    figures.half_digit as tolerance,
    cosines.mean as observed
from figures
cross join cosines
