-- one row per ordered pair of vectors of one type and width, by the plain join
-- what matched_layers, within_model and the macros choose their pairs from
from joined_vectors('vectors', 'vectors')
