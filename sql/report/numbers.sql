-- one row per number that is quoted of Solar and GLM, with the question that it answers
-- computed from what the sanity check published of the released weights; keeps readers from mixing the numbers up
--
-- kind: cosine or z
-- value: the number; its question says what it is a mean of
with

published as (
    select
        ln_type, layer_a as layer,
        any_value(value) filter (metric = 'cosine') as cosine,
        any_value(value) filter (metric = 'pearson') * sqrt(4095) as z
    from measured
    where source = 'sanity_outputs'
    group by all
),

input as (
    from published
    where ln_type = 'input_layernorm'
),

four_layers as (
    from input
    where layer in (10, 20, 30, 40)
),

numbers (n, kind, value, question) as (
    select 1, 'cosine', avg(cosine), 'How alike are layers 10, 20, 30 and 40, which the accusation chose, input norm?'
    from four_layers
    union all
    select 2, 'cosine', avg(cosine), 'How alike are the 46 layers that both have, input norm, on average?'
    from input
    union all
    select 3, 'cosine', avg(cosine), 'How alike are these layers in the post-attention norm, on average?'
    from published
    where ln_type = 'post_attention_layernorm'
    union all
    select 4, 'cosine', avg(cosine), 'How alike are these layers in both norms together, on average?'
    from published
    union all
    select 5, 'cosine', max(cosine), 'How alike is the layer with the highest cosine, input norm?'
    from input
    union all
    select 6, 'cosine', any_value(cosine), 'How alike is layer 10, input norm?'
    from input
    where layer = 10
    union all
    select 7, 'cosine', any_value(cosine), 'How alike is layer 0, input norm?'
    from input
    where layer = 0
    union all
    select 8, 'z', any_value(z), 'Are the two more alike at layer 10 than with shuffled dimensions, input norm?'
    from input
    where layer = 10
    union all
    select 9, 'z', avg(z), 'The same for each of the 46 layers, on average'
    from input
    union all
    select 10, 'z', max(z), 'The same for the most correlated of the 46 layers (by chance about 2.2)'
    from input
    union all
    select 11, 'z', sum(z) / sqrt(count(*)), 'The same for all 46 layers, if they were independent (they are not)'
    from input
)

select kind, value, question
from numbers
order by n
