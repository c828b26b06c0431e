-- one row per pair of models and dimension: two pairs at one layer, input norm
-- what is left of two vectors without their means: a line where they share a pattern, a cloud where they do not
--
-- kind: related (both made from one base) or disputed
-- layer: of those that both pairs have, the one with the highest cosine of the disputed pair
-- a: value of the first model minus the mean of its vector; likewise b
-- std_a: standard deviation of the first vector; likewise std_b
-- cosine: of the whole vectors, means left in; pearson likewise, without them
with

chosen (kind, model_a, model_b) as (
    values ('related', 'glm', 'intellect'), ('disputed', 'solar', 'glm')
),

similarities as (
    select kind, model_a, model_b, layer, cosine, pearson
    from matched_layers
    join chosen using (model_a, model_b)
    where ln_type = 'input_layernorm' and pearson is not null
),

-- of layers that both pairs have
best as (
    select max_by(a.layer, a.cosine) as layer
    from similarities as a
    join similarities as b using (layer)
    where a.kind = 'disputed' and b.kind = 'related'
),

compared as (
    select s.kind, s.model_a, s.model_b, s.layer, s.cosine, s.pearson
    from similarities as s
    join best using (layer)
),

layers as (
    select model, layer, d, std, pattern
    from vectors
    where model in ('solar', 'glm', 'intellect') and ln_type = 'input_layernorm'
)

select
    kind, model_a, model_b, compared.layer, a.d,
    round(cosine, 6) as cosine,
    round(pearson, 6) as pearson,
    a.std as std_a, b.std as std_b,
    unnest(range(a.d)) as dim,
    unnest(list_transform(a.pattern, lambda x: round(x, 5))) as a,
    unnest(list_transform(b.pattern, lambda x: round(x, 5))) as b
from compared
join layers as a on a.model = model_a and a.layer = compared.layer
join layers as b on b.model = model_b and b.layer = compared.layer
order by kind desc, dim
