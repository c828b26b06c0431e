-- id: printed.accusation_layers
-- title: Which layers the cosines between the models are of, and what two summaries of them leave over.
-- documents: accusation, accusation_report, accusation_output
-- section: lines 205-209; report line 170; definitive_proof.py line 210; layer_decay_analysis.png
-- evidence: printed
-- needs:
-- version: 1
-- reading: The mean between the models: four cosines are listed, and their mean is the printed one. The script's
--   five layers: the four, and layer 0, which the README prints on another line (94). 262,144 samples per tensor:
--   said of norms, which have as many values as the hidden size that the README prints; matrices is the reading in
--   which samples of larger tensors are meant, of which the script's usual window has that many. Differences are
--   those of the two figures printed above them; their tolerance is half a digit of all three.
with

figures as (
    select distinct item, metric, scope, aggregate, layer_a, value, half_digit
    from printed
    where item like 'accusation.%'
),

listed as (
    select count(*) as layers, avg(value) as mean
    from figures
    where regexp_matches(item, 'readme\.cross\.layer_')
),

named as (
    select
        max(value) filter (item like '%cross.mean') as mean,
        max(half_digit) filter (item like '%cross.mean') as half_digit,
        max(value) filter (scope = 'layers_of_the_cross_mean') as of_the_mean,
        max(value) filter (scope = 'layers_of_the_script') as of_the_script,
        max(value) filter (item like '%sig.samples_262144') as samples,
        max(value) filter (item like '%readme.arch.hidden_size') as width,
        max(value) filter (item like '%decay.dominance') as dominance,
        max(value) filter (item like '%decay.sign') as sign,
        max(value) filter (item like '%decay.matched' and aggregate = 'mean')
        - max(value) filter (item like '%decay.mismatched' and aggregate = 'mean') as above,
        max(value) filter (item like '%decay.early') - max(value) filter (item like '%decay.late') as earlier
    from figures
),

checks (item, reading, statement, holds, observed) as (
    select
        'readme.cross.layer0_left_out', 'plain', 'four cosines are listed, and their mean is the printed one',
        layers = of_the_mean and abs(listed.mean - named.mean) <= half_digit, layers
    from named, listed
    union all
    select
        'output.definitive.cross_set', 'plain', 'one layer more than in the mean, layer 0',
        of_the_script = layers + 1, of_the_script
    from named, listed
    union all
    select 'report.sig.samples_262144', 'plain', 'a norm has as many values', samples = width, width
    from named
    union all
    select
        'report.sig.samples_262144', 'matrices', 'a matrix of that width has at least as many',
        samples <= width * width, width * width
    from named
    union all
    select
        'output.decay.dominance', 'plain', 'the difference of the two means above it',
        abs(above - dominance) <= 0.00015, above
    from named
    union all
    select
        'output.decay.sign', 'plain', 'the difference of the two means above it',
        abs(earlier - sign) <= 0.00015, earlier
    from named
)

select 'accusation.' || item as item, reading, statement, holds, observed
from checks
order by item, reading desc
