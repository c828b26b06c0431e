-- one row per two gate neurons of the layers compared that are each other's most similar one
with

gates as (
    from similarities
    where matrix = 'gate'
),

partners_of_a as (
    select comparison, form, neuron_a, arg_max(neuron_b, similarity) as neuron_b
    from gates
    group by comparison, form, neuron_a
),

partners_of_b as (
    select comparison, form, neuron_b, arg_max(neuron_a, similarity) as neuron_a
    from gates
    group by comparison, form, neuron_b
)

select comparison, form, neuron_a, neuron_b
from partners_of_a
join partners_of_b using (comparison, form, neuron_a, neuron_b)
