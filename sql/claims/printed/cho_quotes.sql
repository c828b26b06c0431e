-- id: printed.cho_quotes
-- title: What the README quotes: the accusation's 0.99, and its own demonstration script.
-- documents: cho, cho_scripts
-- section: The Cosine Similarity Trap, Demonstration, demo_cosine_artifact.py
-- evidence: printed
-- needs:
-- version: 1
-- reading: The accusation prints a mean of 0.989 for its four layers, which is about 0.99; it calls its
--   evidence decisive, and a figure of it definitive. The parameters of the demonstration are those of the
--   snippet in the README: plain. as_in_script: the script that the snippet names draws with 0.02. Observed is
--   the figure that is compared.
with

figures as (
    select
        max(value) filter (item = 'cho.trap.quotes_definitive') as quoted,
        max(half_digit) filter (item = 'cho.trap.quotes_definitive') as half_digit,
        max(value) filter (item = 'accusation.readme.cross.mean') as original,
        max(value) filter (item = 'cho.demo.parameters' and metric = 'std') as spread,
        max(value) filter (item = 'cho.script.noise_0_02') as script_spread
    from printed
)

select
    unnest([
        'cho.trap.quotes_definitive', 'cho.demo.parameters', 'cho.demo.parameters', 'cho.script.noise_0_02'
    ]) as item,
    unnest(['plain', 'plain', 'as_in_script', 'plain']) as reading,
    unnest([
        'the accusation prints about that cosine',
        'the snippet of the README draws with that',
        'the script that it names does',
        'the script draws with that'
    ]) as statement,
    unnest([
        abs(quoted - original) <= half_digit, spread is not null, spread = script_spread, script_spread is not null
    ]) as holds,
    unnest([original, spread, script_spread, script_spread]) as observed
from figures
