-- id: accusation.selective_preservation
-- title: That norms are alike and other weights are not is decisive evidence of descent.
-- documents: accusation
-- section: lines 82-87, 262
-- evidence: weights
-- needs: solar, glm, phi, projections
-- version: 1
-- reading: Decisive evidence of descent is not found where nobody claims descent. So the split is looked for in
--   Solar-Phi and GLM-Phi, at layers 10, 20 and 30: norms with a cosine of 0.95 or more, key and value projections
--   with less than 0.05 in size. It holds if neither pair shows it in all three layers; observed is the number of
--   pairs, of two, that do. Needs a lake with projections (ingest with --projections 10,20,30).
with

cosines as (
    select model_a, layer, ln_type, cosine
    from matched_layers
    where
        model_a in ('solar', 'glm') and model_b = 'phi' and layer in (10, 20, 30)
        and ln_type in ('input_layernorm', 'post_attention_layernorm', 'k_proj', 'v_proj')
),

splits as (
    select
        model_a,
        bool_and(case when ln_type like '%_proj' then abs(cosine) < 0.05 else cosine >= 0.95 end) as is_split,
        count(*) filter (ln_type like '%_proj') as projections
    from cosines
    group by model_a
),

counted as (
    select
        case when bool_and(projections = 6) and count(*) = 2 then count(*) filter (is_split) end as pairs
    from splits
)

select
    'accusation.readme.selective_preservation' as item,
    'plain' as reading,
    'neither Solar-Phi nor GLM-Phi shows the split' as statement,
    pairs = 0 as holds,
    pairs as observed
from counted
