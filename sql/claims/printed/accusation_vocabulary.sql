-- id: printed.accusation_vocabulary
-- title: Shares, differences and sums of the two vocabularies follow from the counts of the scripts' output.
-- documents: accusation_report, accusation_output
-- section: report lines 90, 149-155; 01_tokenizer_compare.json, comprehensive_analysis.png,
--   vocab_mapping_analysis.png
-- evidence: printed
-- needs:
-- version: 1
-- reading: The vocabularies are not read here; the counts that the authors' scripts stored are. Each share is
--   recomputed from two of them, each count from two others: shared tokens over those of GLM, over all of both;
--   Solar's tokens minus GLM's, minus the shared ones; shared merge rules over GLM's; Solar's tokens minus
--   150,000; a type's count over those 46,608. 46,608 is exact if IDs are counted from 0. Tolerances are half a
--   digit of a share and none of a count.
with

figures as (
    select distinct item, metric, scope, model_a, model_b, value, half_digit
    from printed
    where item like 'accusation.%' and metric in ('count', 'share') and document <> 'accusation'
),

counts as (
    select
        max(value) filter (scope = 'tokens' and model_a = 'solar') as solar,
        max(value) filter (scope = 'tokens' and model_a = 'glm') as glm,
        max(value) filter (scope = 'shared_tokens') as shared,
        max(value) filter (scope = 'all_tokens') as all_tokens,
        max(value) filter (scope = 'merges') as rules,
        max(value) filter (scope = 'merges_shared' and metric = 'count') as rules_shared,
        max(value) filter (scope = 'tokens_from_id_150000') as high_ids
    from figures
),

recomputed as (
    select
        figures.item,
        figures.value,
        figures.half_digit,
        case figures.scope
            when 'shared_tokens' then solar + glm - all_tokens
            when 'tokens_of_glm_shared_by_text' then shared / glm
            when 'shared_of_all_tokens' then shared / (solar + glm - shared)
            when 'tokens_solar_has_more' then solar - glm
            when 'tokens_of_solar_only' then solar - shared
            when 'merges_shared' then rules_shared / rules
            when 'tokens_from_id_150000' then solar - 150000
            else types.value / high_ids
        end as observed
    from figures
    cross join counts
    left join figures as types
        on
            types.item = figures.item and types.scope = figures.scope and types.metric = 'count'
            and figures.scope like 'high_ids_%'
    where
        figures.scope in (
            'shared_tokens', 'tokens_solar_has_more', 'tokens_of_solar_only', 'tokens_from_id_150000'
        )
        or figures.metric = 'share' and figures.scope in (
            'tokens_of_glm_shared_by_text', 'shared_of_all_tokens', 'merges_shared',
            'high_ids_other', 'high_ids_ascii_alpha', 'high_ids_ascii_other'
        )
)

select item, 'plain' as reading, value as expected, half_digit as tolerance, observed
from recomputed
order by item
