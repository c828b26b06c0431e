-- id: critique.norm_download
-- title: Only the norms are downloaded, a few MB, and an ordinary computer is enough for the run.
-- documents: critique_readme
-- section: GPU requirements, FAQ Q4
-- evidence: weights
-- needs: solar, glm, phi, mixtral, mistral_7b, yi_6b, yi_9b, internlm2_7b, qwen15_7b
-- version: 1
-- reading: Bytes, as stored, of the input norms that the experiments compare (33 vectors), headers apart;
--   @all_norms takes every norm of the nine models. Several MB: from 2 to 10 million bytes. About 10 MB:
--   within a tenth of the printed figure. Of the printed resources, minutes and seconds depend on network and
--   machine and are not judged; what data can decide is that the 33 vectors, in double precision, fit into
--   the printed memory.
with

limits as (
    select
        max(value) filter (item = 'critique.readme.download_10mb') as download,
        max(value) filter (item = 'critique.readme.runtime' and scope = 'memory_used') as memory
    from printed
),

norms as (
    select
        byte_end - byte_begin as bytes,
        values,
        ln_type = 'input_layernorm' and (
            layer = 10
            or (model in ('solar', 'glm', 'phi', 'mixtral') and layer in (5, 15, 20, 25, 30))
            or (model in ('solar', 'glm') and layer in (0, 40))
        ) as is_compared
    from tensors
    where
        ln_type not in ('k_proj', 'v_proj') and model in (
            'solar', 'glm', 'phi', 'mixtral', 'mistral_7b', 'yi_6b', 'yi_9b', 'internlm2_7b', 'qwen15_7b'
        )
),

totals as (
    select '' as reading, 'compared norms' as which, sum(bytes) as bytes, sum(8 * values) as as_doubles
    from norms
    where is_compared
    union all
    select '@all_norms' as reading, 'norms of all nine' as which, sum(bytes) as bytes, null as as_doubles
    from norms
),

checks as (
    select
        'critique.readme.download_several_mb' || reading as item,
        'the ' || which || ' are 2 to 10 million bytes' as statement,
        bytes between 2e6 and 10e6 as holds,
        bytes as observed
    from totals
    union all
    select
        'critique.readme.download_10mb' || reading as item,
        'the ' || which || ' are as large as printed, give or take a tenth' as statement,
        abs(bytes - download) <= download / 10 as holds,
        bytes as observed
    from totals, limits
    union all
    select
        'critique.readme.runtime' as item,
        'the ' || which || ' fit into the printed memory as doubles' as statement,
        as_doubles <= memory as holds,
        as_doubles as observed
    from totals, limits
    where reading = ''
)

select item, statement, holds, observed
from checks
order by item
