-- one row per figure that a document prints
-- what the documents say, as data to compare with the weights
--
-- model_a: first model the figure is about
-- layer_a: its layer; NULL where the document does not say or the figure is over many
-- model_b: second model, where the figure is about a pair
-- layer_b: layer of the second model
-- ln_type: norm or projection the figure is about
-- value: the figure itself
select
    document, section, item, model_a, layer_a, model_b, layer_b, ln_type, metric, relation, value, low, high,
    half_digit, scope, aggregate, unit, note
from files.printed
