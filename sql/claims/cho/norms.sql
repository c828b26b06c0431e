-- id: cho.norms
-- title: Norms of Solar and GLM: cosine 0.989, an artefact of means; Pearson 0.012, as random, in all layers.
-- documents: cho
-- section: The Cosine Similarity Trap, 1, 2
-- evidence: weights
-- needs: solar, glm
-- version: 1
-- reading: Input norm. The cosine is the mean over layers 10, 20, 30 and 40, where the accusation has that
--   figure; a figure may be cut off as well as rounded. Artefact: in these layers the offset share, what means
--   and deviations alone give, is within half a digit (0.005) of the cosine on average; observed is the
--   difference. Means of about 1.0: plain, the means give it, whatever they are: the smallest offset share is
--   nine tenths of its cosine or more; about_1: and they are about 1, from 0.5 to 1.5, in both models;
--   observed is the mean furthest off. Pearson: mean over layers 0 to 45. No relationship, and like random:
--   plain, as a correlation of one pair of vectors it is less than 1.96 standard deviations from chance;
--   mean_over_layers: a mean over 46 independent layers would be; layers are not independent, which only
--   weights can count (findings.mean_pearson_over_layers). About 0 in all layers: within 0.05; observed is the
--   largest. No decline: the mean of layers 23 to 45 is lower than that of 0 to 22 by less than 1.96 standard
--   deviations of a difference of two correlations, which is what two vectors that all layers repeat would
--   have; observed in those.
with

figures as (
    select item, value, half_digit
    from printed
    where item in ('cho.norms.cosine_0_989', 'cho.norms.pearson_0_012')
),

matched as (
    select layer, layer in (10, 20, 30, 40) as is_earlier, cosine, offset_share, pearson, d
    from matched_layers
    where model_a = 'solar' and model_b = 'glm' and ln_type = 'input_layernorm' and layer <= 45
),

means as (
    select arg_max(mean, abs(mean - 1)) as furthest
    from vector_stats
    where model in ('solar', 'glm') and ln_type = 'input_layernorm' and layer in (10, 20, 30, 40)
),

found as (
    select
        avg(cosine) filter (is_earlier) as cosine,
        avg(cosine) filter (is_earlier) - avg(offset_share) filter (is_earlier) as beyond_means,
        min(offset_share / cosine) filter (is_earlier) as least_share,
        avg(pearson) as pearson,
        avg(pearson) * sqrt(min(d) - 1) as z,
        avg(pearson) * sqrt(count(*) * (min(d) - 1)) as z_of_layers,
        max(abs(pearson)) as largest,
        (avg(pearson) filter (layer <= 22) - avg(pearson) filter (layer > 22)) / sqrt(2 / (min(d) - 1)) as decline,
        any_value(means.furthest) as furthest
    from matched
    cross join means
)

select
    item, 'plain' as reading,
    'the figure is ' || value || ', rounded or cut off' as statement,
    abs(if(item like '%cosine%', cosine, pearson) - value - half_digit / 2) <= 1.5 * half_digit as holds,
    if(item like '%cosine%', cosine, pearson) as observed
from figures
cross join found
union all
select
    'cho.' || unnest([
        'trap.artefact_proven', 'norms.cosine_artefact', 'norms.cosine_artefact', 'norms.no_relationship',
        'norms.no_relationship', 'norms.like_random', 'norms.like_random', 'decay.zero_everywhere', 'decay.no_pattern'
    ]),
    unnest([
        'plain', 'plain', 'about_1', 'plain', 'mean_over_layers', 'plain', 'mean_over_layers', 'plain', 'plain'
    ]),
    unnest([
        'means and deviations alone give it within half a digit',
        'means and deviations alone give nine tenths of it',
        'and the means are about 1',
        'one pair of vectors is less than 1.96 deviations from chance',
        'so is a mean over layers, were they independent',
        'one pair of vectors is less than 1.96 deviations from chance',
        'so is a mean over layers, were they independent',
        'no layer is beyond 0.05',
        'later layers are not lower beyond chance'
    ]),
    unnest([
        abs(beyond_means) <= 0.005, least_share >= 0.9, least_share >= 0.9 and furthest between 0.5 and 1.5,
        abs(z) < 1.96, abs(z_of_layers) < 1.96, abs(z) < 1.96, abs(z_of_layers) < 1.96, largest <= 0.05, decline < 1.96
    ]),
    unnest([beyond_means, least_share, furthest, z, z_of_layers, z, z_of_layers, largest, decline])
from found
