-- one row per two layers compared and form: what ups say of the partners that gates chose
-- Negating a neuron's up and down changes nothing a model computes, and training does not mind: given what gates chose,
-- the sign of each similarity of ups is a fair coin between models that share nothing
--   agreement  Σ s, the similarities of the ups of partners
--   squares    Σ s²
--   agreeing   partners by gate that are also each other's most similar by up, sign aside, among all that have partners
with

ups as (
    select
        s.comparison, s.form, s.neuron_a, s.neuron_b, s.similarity,
        of_a.neuron_b = s.neuron_b as are_partners
    from similarities as s
    join partners as of_a
        on of_a.comparison = s.comparison and of_a.form = s.form and of_a.neuron_a = s.neuron_a
    join partners as of_b
        on of_b.comparison = s.comparison and of_b.form = s.form and of_b.neuron_b = s.neuron_b
    where s.matrix = 'up'
),

chosen_by_a as (
    select comparison, form, neuron_a, arg_max(neuron_b, abs(similarity)) as neuron_b
    from ups
    group by comparison, form, neuron_a
),

chosen_by_b as (
    select comparison, form, neuron_b, arg_max(neuron_a, abs(similarity)) as neuron_a
    from ups
    group by comparison, form, neuron_b
),

agreeing_neurons as (
    select comparison, form, count(*) as agreeing
    from partners
    join chosen_by_a using (comparison, form, neuron_a, neuron_b)
    join chosen_by_b using (comparison, form, neuron_a, neuron_b)
    group by comparison, form
),

signed as (
    select
        comparison, form,
        count(*) as partners,
        sum(similarity) as agreement,
        sum(similarity ** 2) as squares
    from ups
    where are_partners
    group by comparison, form
)

select comparison, form, partners, coalesce(agreeing, 0) as agreeing, agreement, squares
from signed
left join agreeing_neurons using (comparison, form)
