-- id: findings.cho_and_its_output
-- title: Two figures of Cho's README differ from what his own scripts have.
-- documents: cho, cho_scripts, cho_output
-- section: Demonstration, 1; demo_cosine_artifact.py, out_comprehensive/statistics.json
-- evidence: printed
-- needs:
-- version: 1
-- reading: As for the accusation (findings.accusation_and_its_output). cosine: 0.989 is printed of the norms; the
--   output has 0.9487 for the input norm and 0.9864 for the post-attention norm, over 46 layers. 0.989 is the
--   accusation's mean of four layers. spread: the snippet draws with a standard deviation of 0.01, the script that it
--   names with 0.02. Neither changes what the text concludes. Not a figure: the random control model of the README is
--   DeepSeek-V2-Lite in the script, whose output is not published. Observed is the figure of the output or the script.
with

said as (
    select
        max(value) filter (item = 'cho.norms.cosine_0_989') as cosine,
        max(value) filter (item = 'cho.demo.parameters' and metric = 'std') as spread,
        max(value) filter (item = 'measured.cho_outputs.cosine.input') as input,
        max(value) filter (item = 'measured.cho_outputs.cosine.post') as post,
        max(value) filter (item = 'cho.script.noise_0_02') as script
    from printed
)

select
    unnest(['cosine_input', 'cosine_post', 'spread']) as item,
    'plain' as reading,
    unnest(['not 0.989', 'not 0.989', 'not 0.01']) as statement,
    unnest([abs(input - cosine) > 0.0005, abs(post - cosine) > 0.0005, abs(script - spread) >= 0.005]) as holds,
    unnest([input, post, script]) as observed
from said
