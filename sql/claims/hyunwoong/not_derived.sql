-- id: hyunwoong.not_derived
-- title: Solar is not derived from GLM; its norm weights hold no consistent evidence that it is.
-- documents: hyunwoong
-- section: Title, 5
-- evidence: weights
-- needs: solar, glm, phi
-- version: 3
-- reading: Two statements. That Solar is not derived: nothing here can settle where a model comes from, so
--   it is undefined, whatever the weights are. The conclusion is about evidence, and the figures can judge
--   it: both norms at layers 10, 20 and 30, by centered cosine (Pearson), mean_abs_diff, p99_abs_diff and
--   rel_l2 with GLM as base. It holds if by none of them Solar is closer to GLM than Phi is in all six, which
--   would be consistent. Observed is the number of metrics by which it is. beside_a_relative asks more of the
--   weights: Solar's mean Pearson with GLM, over both norms of layers 0 to 31, is nearer to that of Phi,
--   which nobody calls related, than to that of INTELLECT, which was trained from GLM's base model; it is
--   undefined without INTELLECT. Observed is Solar's.
-- history: v2: descent is undefined; the document's conclusion, which figures can judge, is an item of its own
-- history: v3: the number of metrics is observed, no longer the largest share of one
with

to_glm as (
    select
        model_b as model, layer, ln_type,
        layer in (10, 20, 30) as is_shown,
        pearson, mean_abs_diff, p99_abs_diff, rel_l2
    from matched_layers
    where
        model_a = 'glm' and model_b in ('solar', 'phi', 'intellect') and layer between 0 and 31
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

closer as (
    select
        avg((solar.pearson > phi.pearson)::integer) as by_pearson,
        avg((solar.mean_abs_diff < phi.mean_abs_diff)::integer) as by_mean,
        avg((solar.p99_abs_diff < phi.p99_abs_diff)::integer) as by_tail,
        avg((solar.rel_l2 < phi.rel_l2)::integer) as by_distance,
        (by_pearson = 1)::integer + (by_mean = 1)::integer + (by_tail = 1)::integer
        + (by_distance = 1)::integer as metrics
    from to_glm as solar
    join to_glm as phi using (layer, ln_type)
    where solar.model = 'solar' and phi.model = 'phi' and solar.is_shown
),

correlations as (
    select
        avg(pearson) filter (model = 'solar') as solar,
        avg(pearson) filter (model = 'phi') as unrelated,
        avg(pearson) filter (model = 'intellect') as relative
    from to_glm
),

checks (item, reading, statement, holds, observed) as (
    select
        'title.not_derived', 'plain', 'norm weights cannot settle where a model comes from',
        null::boolean, null::double
    union all
    select
        's5.no_consistent_evidence', 'plain', 'by no metric is Solar closer to GLM than Phi is in all six',
        metrics = 0, metrics
    from closer
    union all
    select
        's5.no_consistent_evidence', 'beside_a_relative',
        'Solar''s correlation with GLM is nearer to Phi''s than to that of INTELLECT',
        abs(solar - unrelated) < abs(solar - relative),
        case when relative is not null then solar end
    from correlations
)

select 'hyunwoong.' || item as item, reading, statement, holds, observed
from checks
order by item desc, reading desc
