-- id: cisco.norm_fingerprint
-- title: Norms are specific to a training run: about 0.998 with a fine-tuned model, 0.50 with an independent one.
-- documents: cisco
-- section: NLF
-- evidence: toy
-- needs: b00, b00_ft_long_high
-- version: 4
-- reading: The signal NLF is one of eight and is combined with others, which are not judged here. Small models
--   trained here whose history is known; all norm weights of both, concatenated. Fine-tuned: 32 models trained on,
--   briefly or long, at a low or the full rate. Independent: pairs of models trained from starts of their own, of
--   one recipe. Specific: each fine-tuned model is more like its parent than any independent pair is alike; plain,
--   by the correlation of their norms; concatenated_cosine, by the cosine, as the signal has it; observed is the
--   smallest lead. Barely change: the change is less than a tenth of the length for half of the fine-tuned models
--   or more; observed is the median. What is typical is said of large released models, the named pairs for
--   example: small models do not decide it, and their medians are only named.
-- history: v2: multiplies only the pairs that it needs; the figures are the same
-- history: v3: typical figures are untestable: they are about large models, which six layers cannot stand for
-- history: v4: says so in a lake without trained models, too
with

fine_tuned as (
    select parent as model_a, child as model_b, true as is_child
    from lineage_truth
    where transformation like 'ft\_%\_low' escape '\' or transformation like 'ft\_%\_high' escape '\'
),

bases as (
    select child as model, kind from lineage_truth where parent is null
),

known as (
    from fine_tuned
    union all
    select a.model as model_a, b.model as model_b, false as is_child
    from bases as a
    join bases as b on a.model < b.model and a.kind = b.kind
),

norms as (
    select model, layer, ln_type, d, mean, std, l2_norm, pattern
    from vectors
    where not ends_with(ln_type, '_bias')
),

-- not the view pairs, which would multiply all 380 models with each other
multiplied as (
    select
        is_child, model_a, model_b, a.l2_norm as length_a, b.l2_norm as length_b,
        list_inner_product(a.pattern, b.pattern) as pattern_product,
        pattern_product + a.d * a.mean * b.mean as product, pearson_of(pattern_product, a.d, a.std, b.std) as pearson
    from known
    join norms as a on a.model = model_a
    join norms as b on b.model = model_b and b.layer = a.layer and b.ln_type = a.ln_type and b.d = a.d
),

compared as (
    select
        is_child, model_a, model_b,
        sum(product) / sqrt(sum(length_a ** 2) * sum(length_b ** 2)) as cosine,
        sqrt(1 + (sum(length_b ** 2) - 2 * sum(product)) / sum(length_a ** 2)) as change,
        avg(pearson) as pearson
    from multiplied
    group by all
),

summed as (
    select
        min(pearson) filter (is_child) - max(pearson) filter (not is_child) as lead_of_pearson,
        min(cosine) filter (is_child) - max(cosine) filter (not is_child) as lead_of_cosine,
        median(change) filter (is_child) as change,
        median(cosine) filter (is_child) as fine_tuned_cosine,
        median(cosine) filter (not is_child) as independent_cosine
    from compared
)

select
    'cisco.nlf.' || unnest(['specific', 'specific', 'barely_change', 'fine_tuned_0_998', 'independent_0_50']) as item,
    unnest(['plain', 'concatenated_cosine', 'plain', 'plain', 'plain']) as reading,
    unnest([
        'every fine-tuned model correlates more with its parent than any independent pair',
        'and has a higher concatenated cosine',
        'half of the fine-tuned models or more change by less than a tenth',
        concat('not decided here: said of large models; the median of small ones is ', round(fine_tuned_cosine, 3)),
        concat('not decided here: said of large models; the median of small ones is ', round(independent_cosine, 3))
    ]) as statement,
    unnest([lead_of_pearson > 0, lead_of_cosine > 0, change < 0.1, null, null]) as holds,
    unnest([lead_of_pearson, lead_of_cosine, change, null, null]) as observed
from summed
