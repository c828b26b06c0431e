-- id: findings.accusation_and_its_output
-- title: Four figures of the accusation's texts differ from what its own scripts published.
-- documents: accusation, accusation_report, accusation_output
-- section: lines 28, 35, 95, 252; report lines 138, 231; layerwise_similarity.csv, 00_config_compare.json
-- evidence: printed
-- needs:
-- version: 1
-- reading: Each printed figure is compared with the published output of the same authors; where it lacks a cosine,
--   with the equal one of the sanity check. layer_10: 0.989 is printed for layer 10, of which line 205 and the
--   output have 0.981094; it is the mean of four layers. from_5: 0.95 and more from layer 5 on; the lowest is the
--   input norm of layer 6. deep: 0.97 from layer 5 on, of which the mean is higher; 0.97 is the mean of all
--   layers. parameters: 90 % of the architecture, where six of the nine parameters in the report's table agree.
--   None of the four changes what the texts conclude from the others. Observed is the figure of the output.
with

cosines as (
    select distinct layer_a as layer, ln_type, value
    from measured
    where
        source = 'sanity_outputs' and metric = 'cosine' and model_b = 'glm' and layer_a = layer_b
        and ln_type in ('input_layernorm', 'post_attention_layernorm')
),

output as (
    select
        max(value) filter (layer = 10 and ln_type = 'input_layernorm') as layer_10,
        min(value) filter (layer >= 5) as lowest_from_5,
        avg(value) filter (layer >= 5) as mean_from_5
    from cosines
),

parameters as (
    select avg((lowest = highest)::integer) as share
    from (
        select min(value) as lowest, max(value) as highest
        from printed
        where item = 'accusation.report.arch.nine_as_readme'
        group by metric, scope
    )
),

said as (
    select
        max(value) filter (item = 'accusation.readme.observed.layer10_0_989') as layer_10,
        max(low) filter (item = 'accusation.readme.layers.from_5_0_95') as from_5,
        max(value) filter (item = 'accusation.report.fits.deep_layers_0_97') as deep,
        max(low) filter (item = 'accusation.report.summary.architecture_90') as parameters
    from printed
)

select
    unnest(['layer_10', 'from_5', 'deep', 'parameters']) as item,
    'plain' as reading,
    unnest(['not 0.989', 'one norm below 0.95', 'not 0.97', 'less than 90 %']) as statement,
    unnest([
        abs(output.layer_10 - said.layer_10) > 0.0005,
        lowest_from_5 < from_5,
        abs(mean_from_5 - deep) > 0.005,
        share < said.parameters
    ]) as holds,
    unnest([output.layer_10, lowest_from_5, mean_from_5, share]) as observed
from output
cross join parameters
cross join said
