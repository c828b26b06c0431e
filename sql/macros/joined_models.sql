-- the call that joins the vectors of two models, as text for with_metrics and with_all_metrics; an error if one is
-- not there
-- reads the files of these two alone, once, so its time does not grow with the number of models
-- example: select layer_a, layer_b, pearson from with_metrics(joined_models('solar', 'glm'))
create macro joined_models(one, other) as
'(with of_both as materialized (from vectors_of_both(' || quoted(one) || ', ' || quoted(other) || ')) '
|| 'from joined_vectors('
|| quoted('(from of_both where model = ' || quoted(one) || ')') || ', '
|| quoted('(from of_both where model = ' || quoted(other) || ')') || '))'
