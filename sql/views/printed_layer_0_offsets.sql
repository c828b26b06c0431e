-- one row per model whose layer 0 the critique compares with layer 10: how large its offset can be at most
-- what two experiments of one document force about a third figure; four findings rest on it
--
-- u: √d·mean / length of the input norm of layer 0, at the end of all rounding that makes it largest
with

-- cos = u_a·u_b + r·v_a·v_b is at most √(u_a² + r²·v_a²), for any b
layer_10 as (
    select
        min(value - half_digit) filter (metric = 'cosine') as cosine,
        max(abs(value) + half_digit) filter (metric = 'pearson') as pearson,
        sqrt((cosine ** 2 - pearson ** 2) / (1 - pearson ** 2)) as least_u
    from printed
    where section = '6-2' and model_a = 'solar' and model_b = 'glm'
)

-- and with a Pearson above 0, as printed there, layer 0 against layer 10 of one model is at least u₀·u₁₀
select model_a as model, max(value + half_digit) / any_value(least_u) as u
from printed
cross join layer_10
where section = '6-4' and metric = 'cosine'
group by model_a
