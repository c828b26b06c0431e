-- one row per value of the vectors from the first to the last of a batch, as the variables name them
from source
where
    ln_type between getvariable('first_type') and getvariable('last_type')
    and (ln_type > getvariable('first_type') or layer >= getvariable('first_layer'))
    and (ln_type < getvariable('last_type') or layer <= getvariable('last_layer'))
