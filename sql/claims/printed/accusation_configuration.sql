-- id: printed.accusation_configuration
-- title: The configurations of GLM and Solar agree in most parameters of the experts, and in two thirds of all
--   named.
-- documents: accusation, accusation_report, accusation_output
-- section: lines 75, 106-113, 252; report lines 20, 35-45, 231; 00_config_compare.json
-- evidence: printed
-- needs:
-- version: 1
-- reading: The tables are compared with the configurations that their authors' script stored. A row of the
--   README's table, and the report's table as a whole: all figures are those of the file; observed is in how many
--   of its parameters the models agree. Hidden size, experts and rope_theta agree: likewise; the head size is not
--   in the file. The same MoE structure: plain, as the table has it, the numbers of experts (routed, per token,
--   shared); widths asks for the width of an expert and the first dense layers, too. 90 % of the architecture:
--   what is counted is not said; plain, the report's table; experts_only, the numbers of experts, by which the row
--   explains itself. The sum of the vocabularies is in thousands, and so is its tolerance.
with

figures as (
    select distinct item, document, model_a as model, metric || coalesce(scope, '') as parameter, value
    from printed
    where
        item like 'accusation.readme.arch.%'
        or item in ('accusation.report.arch.nine_as_readme', 'accusation.readme.final.moe_structure_same')
),

compared as (
    select
        here.item, parameter, bool_and(here.value = there.value) as is_right,
        min(there.value) = max(there.value) as agrees
    from figures as here
    join figures as there using (model, parameter)
    where there.document = 'accusation_output'
    group by here.item, parameter
),

agreements as (
    select
        count(*) filter (agrees and parameter like 'count%expert%') as of_experts,
        count(*) filter (agrees and parameter in ('countexpert_width', 'countfirst_dense_layers')) as of_widths,
        count(*) filter (agrees and parameter in ('hidden_size', 'countrouted_experts', 'countrope_theta')) as of_named
    from (select distinct parameter, agrees from compared)
),

report as (
    select bool_and(is_right) as is_right, count(*) filter (agrees) as agreeing, count(*) as parameters
    from compared
    where item = 'accusation.report.arch.nine_as_readme'
),

thousands as (
    select sum(case when model_a = 'solar' then -value else value end) as missing, sum(half_digit) as tolerance
    from printed
    where item = 'accusation.readme.emb.vocabulary_sum'
),

checks (item, reading, statement, holds, observed) as (
    select substr(item, 12), 'plain', 'both figures are those of the configurations', is_right, agrees::integer
    from compared
    where
        item like 'accusation.readme.arch.%'
        and parameter like 'count%' and parameter <> 'countmtp_layers'
    union all
    select 'report.arch.nine_as_readme', 'plain', 'all figures are those of the configurations', is_right, agreeing
    from report
    union all
    select 'report.architecture_agrees', 'plain', 'three of three agree', of_named = 3, of_named
    from agreements
    union all
    select 'readme.final.moe_structure_same', 'plain', 'three numbers of experts agree', of_experts = 3, of_experts
    from agreements
    union all
    select
        'readme.final.moe_structure_same', 'widths', 'the width of an expert and the first dense layers agree',
        of_widths = 2, of_widths
    from agreements
    union all
    select
        'report.summary.architecture_90', 'plain', 'nine tenths of the parameters in the report''s table agree',
        agreeing >= 0.9 * parameters, agreeing / parameters
    from report
    union all
    select
        'report.summary.architecture_90', 'experts_only', 'nine tenths of the numbers of experts agree',
        of_experts >= 0.9 * 3, of_experts / 3
    from agreements
    union all
    select
        'readme.emb.vocabulary_sum', 'plain', 'the two parts make the whole, within rounding',
        abs(missing) <= tolerance, missing
    from thousands
)

select 'accusation.' || item as item, reading, statement, holds, observed::double as observed
from checks
order by item, reading desc
