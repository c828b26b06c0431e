-- one row per other model, highest z_eff first: which share weight history with this one, by norms alone? Models
-- with the same norms come first. Those that cannot be compared come last, without a rank, and the verdict says why
-- Sketches choose the models to compare, `most` of them (100; all if NULL), and can miss a weak relative
--   identical  all norm values are the same
--   z_sketch   how many more bits of the sketches agree than half of them (`sketched`)
--   by_chance  how many models without relation are expected to stand so high, among the `searched` ones of its width
--   further    how many models are not listed though they are identical or their z_sketch is 5 or more, the same in
--              every row: a base may have thousands of descendants
--   weighed    how many of the first have pearson_mean and cosine_mean, by weights that rank nobody; NULL in others
-- example: from nearest('glm')
create macro nearest(to_model, most := 100, weighed := 20) as table
    from nearest_models(to_model, most := most, weighed := weighed)
    -- no row, but the error of a model that is not there, which a filter on no rows would not raise
    union all by name
    select to_model as model
    where not known_model(to_model)
    order by rank nulls last, z_sketch desc nulls last, model
