-- a number for the vectors of one model that are correlated with each other: those of a part, as they are, summed over
-- layers or with the smooth part taken out; nothing but equality follows from it
-- example: select owner_of('solar', 'weights', false, false)
create macro owner_of(model, part, over_layers, smoothless) as
key_of(
    model,
    part || case when over_layers then ' summed' else '' end || case when smoothless then ' rough' else '' end
)
