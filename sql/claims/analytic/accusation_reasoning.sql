-- id: analytic.accusation_reasoning
-- title: What a high cosine with a Pearson of 0 means, and what other token IDs do to the cosine of embeddings.
-- documents: accusation_report, accusation_output
-- section: report lines 121-127; probe_final.py line 8, proof_analysis.png, layer_decay_analysis.png,
--   comprehensive_analysis.png
-- evidence: analytic
-- needs:
-- version: 1
-- reading: Always high: vectors of mean 1 with a spread of up to a third have a cosine of at least 0.9 without any
--   pattern in common. Same direction, other magnitudes: plain, the vectors keep a common direction, (1, 1, …),
--   while the single weights differ: a cosine near 1 goes with a Pearson of 0 in two independent patterns; length:
--   the vectors differ by a factor, as lengths do: then Pearson is 1, never 0. That this fits continual
--   pretraining is said with "consistent", and is judged by the same two. Token IDs: the scripts look each token
--   up by its text in both models, and so compare rows of the same text. Numbering alone moves rows and changes
--   none: their cosine stays 1. That embeddings trained from a new start differ is true, and is not what these
--   lines say. The key metric: plain, a cosine of w - 1 far above 0 needs a pattern around the mean in common: two
--   vectors of mean 0.5 without one would have at most 0.1; deviations: the deviations from 1 match, means
--   included.
with

dims as (
    select unnest(range(1, 4097)) as n
),

-- two patterns without correlation over whole periods
patterns as (
    select sin(2 * pi() * n / 4096) as a, cos(2 * pi() * n / 4096) as b, (n * 1237) % 4099 as id
    from dims
),

vectors as (
    select 1 + a / 3 * sqrt(2) as x, 1 + b / 3 * sqrt(2) as y, 1 + a / 10 as v, 1 + b / 10 as w, a, id
    from patterns
),

measured as (
    select
        sum(x * y) / sqrt(sum(x * x) * sum(y * y)) as widest,
        sum(v * w) / sqrt(sum(v * v) * sum(w * w)) as cosine,
        corr(v, w) as pearson,
        corr(v, 2 * v) as pearson_of_lengths,
        sum((v - 1.5) * (w - 1.5)) / sqrt(sum((v - 1.5) ** 2) * sum((w - 1.5) ** 2)) as minus_one
    from vectors
),

-- the same rows under other IDs, joined by what they are the rows of
renumbered as (
    select sum(old.a * new.a) / sqrt(sum(old.a * old.a) * sum(new.a * new.a)) as cosine
    from vectors as old
    join (select id as new_id, id, a from vectors) as new on old.id = new.id
),

checks (item, reading, statement, holds, observed) as (
    select 'output.final.always_high', 'plain', 'at least 0.9 with a spread of a third', widest >= 0.9 - 1e-9, widest
    from measured
    union all
    select
        unnest(['output.decay.reading_of_low_pearson', 'output.all.reading']), 'plain',
        'a cosine above 0.98 with a Pearson of 0', cosine > 0.98 and abs(pearson) < 1e-9, cosine
    from measured
    union all
    select
        unnest(['output.decay.reading_of_low_pearson', 'output.all.reading']), 'length',
        'vectors that differ in length alone have a Pearson of 0', abs(pearson_of_lengths) < 0.5, pearson_of_lengths
    from measured
    union all
    select
        'output.final.key_metric', unnest(['plain', 'deviations']),
        unnest(['at most 0.1 without a common pattern', 'deviations of one sign give more than 0.1']),
        unnest([minus_one <= 0.1, minus_one > 0.1]), minus_one
    from measured
    union all
    select
        unnest(['report.emb.zero_because_ids_differ', 'report.emb.zero_is_natural']), 'plain',
        'rows of the same text under other IDs have a cosine of 0', abs(cosine) < 0.05, cosine
    from renumbered
)

select 'accusation.' || item as item, reading, statement, holds, observed
from checks
order by item, reading = 'plain' desc, reading
