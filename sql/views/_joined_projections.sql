-- one row per ordered pair of projection matrices of one type and size, by the plain join
-- few and long: the blocks of _vector_grid would hold gigabytes of them at once
from joined_vectors('files.projection_vectors', 'files.projection_vectors')
