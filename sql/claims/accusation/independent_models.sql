-- id: accusation.independent_models
-- title: Norms of independent models have a cosine of about 0, so that 0.97 or 0.989 cannot come from chance.
-- documents: accusation, accusation_report, accusation_output
-- section: lines 35, 87, 231; report lines 171, 182, 243-244; proof_analysis.png, summary_comparison.png
-- evidence: toy
-- needs: b00, b01
-- version: 2
-- reading: Twenty models trained here from starts of their own, norms begun at ones as in most models: 190 pairs,
--   twelve norms each, in small models of width 96. Random: plain, in their patterns, which agree no more than
--   chance: the deviation of z of shuffled dimensions is 0.9 to 1.1; direction: in their cosines, of which the
--   mean is below 0.05. Equal layers no more alike than others: by less than 0.001 on average. Cosines of about 0:
--   within 0.05; observed is the lowest. Null 0 ± 0.002: the mean cosine is within 0.002 of 0. Impossible, or as
--   good as: no pair has a mean cosine of 0.97; observed is the lowest mean. Chance rejected by the effect size:
--   plain, all four cosines between the models lie above all four within GLM, which a random parting of eight
--   values gives once in 70 times; unrelated_models: no pair of models without common history has on average as
--   much as the lowest of the four, 0.981; observed is the highest. After subtracting 1: the mean is within 0.05.
--   The line at 0.1: plain, norms of independent models lie below it; matrices: it is far beyond chance for the
--   786,432 values sampled of a matrix.
-- history: v2: compares with the lowest printed cosine, not with their mean
with

bases as (
    select child as model from lineage_truth where parent is null and kind = 'independent'
),

compared as (
    select
        model_a, model_b, layer_a, layer_b, pairs.ln_type, cosine, pearson, permutation_z,
        a.mean - 1 as mean_a, b.mean - 1 as mean_b, a.std as std_a, b.std as std_b
    from pairs
    join vector_stats as a on a.model = model_a and a.layer = layer_a and a.ln_type = pairs.ln_type
    join vector_stats as b on b.model = model_b and b.layer = layer_b and b.ln_type = pairs.ln_type
    where
        model_a in (from bases) and model_b in (from bases) and model_a < model_b
        and pairs.ln_type in ('input_layernorm', 'post_attention_layernorm')
),

of_pairs as (
    select avg(cosine) as cosine from compared where layer_a = layer_b group by model_a, model_b
),

extremes as (
    select min(cosine) as lowest, max(cosine) as highest from of_pairs
),

overall as (
    select
        avg(cosine) filter (layer_a = layer_b) as cosine,
        min(cosine) filter (layer_a = layer_b) as lowest,
        avg(cosine) filter (layer_a = layer_b) - avg(cosine) filter (layer_a <> layer_b) as above_others,
        stddev_pop(permutation_z) filter (layer_a = layer_b) as z_std,
        avg(
            (pearson * std_a * std_b + mean_a * mean_b)
            / sqrt((std_a ** 2 + mean_a ** 2) * (std_b ** 2 + mean_b ** 2))
        ) filter (layer_a = layer_b) as minus_one
    from compared
),

parted as (
    select
        min(value) filter (regexp_matches(item, 'cross\.layer_'))
        > max(value) filter (item like '%within.glm_0_%') as is_parted,
        min(value) filter (regexp_matches(item, 'cross\.layer_')) as lowest_printed
    from printed
    where document = 'accusation' and metric = 'cosine'
),

checks (item, reading, statement, holds, observed) as (
    select
        'readme.interp.norms_converge_randomly', 'plain', 'patterns agree as chance has it',
        z_std between 0.9 and 1.1, z_std
    from overall
    union all
    select 'readme.interp.norms_converge_randomly', 'direction', 'cosines are 0 on average', cosine < 0.05, cosine
    from overall
    union all
    select
        'readme.interp.same_index_no_reason', 'plain', 'equal layers are not more alike than others',
        abs(above_others) < 0.001, above_others
    from overall
    union all
    select 'readme.independent_all_zero', 'plain', 'each cosine is within 0.05 of 0', abs(lowest) <= 0.05, lowest
    from overall
    union all
    select 'report.sig.null_0_002', 'plain', 'the mean cosine is within 0.002 of 0', abs(cosine) <= 0.002, cosine
    from overall
    union all
    select
        unnest(['report.hyp.independent.norms', 'report.final.no_accident']), 'plain',
        'no pair has a mean cosine of 0.97', highest < 0.97, lowest
    from extremes
    union all
    select
        'readme.hyp.chance_rejected', 'plain', 'a random parting of the eight cosines gives theirs once in 70 times',
        is_parted and lowest is not null, case when lowest is not null then 1 / 70 end
    from parted, extremes
    union all
    select
        'readme.hyp.chance_rejected', 'unrelated_models', 'no pair has on average as much as the lowest of the four',
        highest < lowest_printed, highest
    from parted, extremes
    union all
    select 'output.final.unrelated_zero', 'plain', 'the mean is within 0.05 of 0', abs(minus_one) <= 0.05, minus_one
    from overall
    union all
    select 'output.types.threshold_0_1', 'plain', 'norms of independent models lie below 0.1', cosine < 0.1, cosine
    from overall
    union all
    select
        'output.types.threshold_0_1', 'matrices', '0.1 is beyond five standard deviations of 786,432 values',
        0.1 * sqrt(786432) > 5, case when cosine is not null then 0.1 * sqrt(786432) end
    from overall
)

select 'accusation.' || item as item, reading, statement, holds, observed
from checks
order by item, reading = 'plain' desc
