-- id: printed.accusation_tokenizer
-- title: Solar's tokenizer is GLM's with new tokens (README), or was completely rebuilt (report).
-- documents: accusation, accusation_report, accusation_output
-- section: lines 75, 126; report lines 19, 25, 88, 91, 193-196, 230; 01_tokenizer_compare.json
-- evidence: printed
-- needs:
-- version: 1
-- reading: By the counts that the authors' scripts stored. Extended: said as an expected scenario; plain, Solar
--   has all of GLM's tokens (observed is their share); sizes_only asks that the sizes add up. Completely rebuilt:
--   plain, in its IDs, as the line itself explains: of the shared tokens less than one in a hundred keeps its ID
--   (observed is the share); tokens asks the same of the tokens, of which less than one in a hundred would be
--   shared. The same ID: the count is the stored one, and 0 % within rounding. Some 45,000 more tokens and other
--   IDs: both.
with

counts as (
    select
        max(value) filter (scope = 'tokens' and model_a = 'solar') as solar,
        max(value) filter (scope = 'tokens' and model_a = 'glm') as glm,
        max(value) filter (scope = 'shared_tokens') as shared,
        max(value) filter (scope = 'tokens_of_equal_id' and document = 'accusation_output') as same_id,
        max(value) filter (
            scope = 'tokens_of_equal_id' and document = 'accusation_report' and metric = 'count'
        ) as said,
        max(value) filter (scope = 'new_tokens') as new_tokens,
        max(half_digit) filter (scope = 'tokens_of_equal_id' and metric = 'share') as rounding
    from printed
    where item like 'accusation.%'
),

checks (item, reading, statement, holds, observed) as (
    select
        'readme.emb.vocabulary_extends_glm', 'plain', 'Solar has all tokens of GLM', shared = glm, shared / glm
    from counts
    union all
    select
        'readme.emb.vocabulary_extends_glm', 'sizes_only', 'Solar has as many more tokens as are said to be new',
        abs(solar - glm - new_tokens) < 500, solar - glm
    from counts
    union all
    select
        'report.vocab.rebuilt', 'plain', 'less than 1 % of the shared tokens have the same ID',
        same_id < 0.01 * shared, same_id / shared
    from counts
    union all
    select
        'report.vocab.rebuilt', 'tokens', 'less than 1 % of GLM''s tokens are in Solar',
        shared < 0.01 * glm, shared / glm
    from counts
    union all
    select
        'report.core.tokenizer_rebuilt', 'plain',
        'some 45,000 more tokens, and less than 1 % of the shared with the same ID',
        abs(solar - glm - 45e3) < 500 and same_id < 0.01 * shared, solar - glm
    from counts
    union all
    select
        'report.ids_0_percent', 'plain', 'as many as the script counted, and 0 % of them when rounded',
        same_id = said and same_id / shared < rounding, same_id
    from counts
    union all
    select 'report.summary.token_ids_0', 'plain', '0 % when rounded', same_id / shared < rounding, same_id / shared
    from counts
)

select 'accusation.' || item as item, reading, statement, holds, observed
from checks
order by item, reading desc
