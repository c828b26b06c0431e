-- one row per two gate neurons, one of either layer compared, and form: how alike their token profiles are
select
    a.comparison, a.form,
    a.neuron as neuron_a, b.neuron as neuron_b,
    a.twin as twin_a, b.twin as twin_b,
    list_inner_product(a.profile, b.profile) as similarity
from profiles as a
join profiles as b using (comparison, form)
where a.side = 'a' and b.side = 'b' and a.part = 'gate' and b.part = 'gate'
