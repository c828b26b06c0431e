-- one row per norm that enters the lineage test, in the order of its correlations: its ranks, as layers are compared
--   number      from 0 within a model and kind
--   sum_number  to which of the sums of a sketch it belongs. Narrow models have one for the first norms of the layers
--               and one for the others, in either half of the depth: four times the bits, where a single sum would have
--               too few
with

norms as (
    select model, kind, stack, layer, ln_type, d, ranks, max(layer) over (partition by model, kind, stack) as last_layer
    from lineage_norms
    where dropped is null and ranks is not null
)

select
    model, kind, ln_type, layer, ranks as vector,
    row_number() over (partition by model, kind order by ln_type, layer) - 1 as number,
    case
        when sketch_sums(d) = 1 then 0
        else
            case when regexp_matches(ln_type, '(input_layernorm|embedding_norm)(_bias)?$') then 0 else 2 end
            + case when 2 * layer > last_layer or regexp_matches(ln_type, 'final_norm(_bias)?$') then 1 else 0 end
    end as sum_number
from norms
order by model, kind, number
