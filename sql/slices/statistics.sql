-- one row per two models, unit of layers and form: the statistics of slices, from what was measured of `comparisons`
-- Layers of the same number are pooled to one unit; where depths differ, each two layers are a unit of their own
--   z_order      neurons in stored order, by what gate and up read from tokens
--   z_sign       signs of up, given the partners that gates chose
--   z_tokenless  neurons in stored order, by how ups stand to the gates of their own model
--   share        of the neurons that can have a partner, those whose partner by gate is their partner by up
with

ordered as (
    select model_a, model_b, unit, form, sum(z) / sqrt(count(*)) as z_order
    from in_order
    join comparisons using (comparison)
    group by model_a, model_b, unit, form
),

signed as (
    select
        model_a, model_b, unit, form,
        sum(agreement) / nullif(sqrt(sum(squares)), 0) as z_sign,
        -- least alone would leave out the NULL of a share that cannot be judged
        case when sum(findable) > 0 then least(1, sum(agreeing) / sum(findable)) end as share
    from matched
    join comparisons using (comparison)
    group by model_a, model_b, unit, form
),

tokenless as (
    select model_a, model_b, unit, form, sum(agreement) / nullif(sqrt(sum(squares)), 0) as z_tokenless
    from without_tokens
    join comparisons using (comparison)
    group by model_a, model_b, unit, form
)

select model_a, model_b, unit, form, z_order, z_sign, z_tokenless, share
from tokenless
full join ordered using (model_a, model_b, unit, form)
full join signed using (model_a, model_b, unit, form)
