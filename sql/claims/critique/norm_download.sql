-- id: critique.norm_download
-- title: Only the norms are downloaded, some MB, instead of whole models.
-- documents: critique_readme
-- section: GPU requirements, FAQ Q4
-- evidence: weights
-- needs: solar, glm, phi, mixtral, mistral_7b, yi_6b, yi_9b, internlm2_7b, qwen15_7b
-- version: 2
-- reading: Both figures say how little is needed. Plain: the input norms that the experiments compare (33
--   vectors, as stored) and the headers of their files, each once, are no more than that; "several MB" is then
--   below 10 million bytes, the printed 10 MB as many. all_norms takes the figures as the size of every norm
--   of the nine models, headers apart: from 2 to 10 million bytes, and within half of the printed 10 MB. What a
--   program fetches beyond what it needs is not in the documents.
-- history: v2: headers count, the figures are what suffices; the run's time and memory are no matter of weights
with

limits as (
    select max(value) as download
    from printed
    where item = 'critique.readme.download_10mb'
),

norms as (
    select
        model,
        shard,
        header_bytes,
        byte_end - byte_begin as bytes,
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

files as (
    select
        sum(bytes) as of_norms,
        sum(bytes) filter (is_compared) as of_compared,
        max(header_bytes) filter (is_compared) as of_header
    from norms
    group by model, shard
),

totals as (
    select sum(of_norms) as all_norms, sum(of_compared) + sum(of_header) as needed
    from files
)

select
    unnest([
        'critique.readme.download_several_mb', 'critique.readme.download_several_mb',
        'critique.readme.download_10mb', 'critique.readme.download_10mb'
    ]) as item,
    unnest(['plain', 'all_norms', 'plain', 'all_norms']) as reading,
    unnest([
        'the compared norms and their headers are below 10 million bytes',
        'the norms of all nine are 2 to 10 million bytes',
        'the compared norms and their headers are no more than printed',
        'the norms of all nine are as large as printed, give or take half'
    ]) as statement,
    unnest([
        needed < 10e6,
        all_norms between 2e6 and 10e6,
        needed <= download,
        abs(all_norms - download) <= download / 2
    ]) as holds,
    unnest([needed, all_norms, needed, all_norms]) as observed
from totals
cross join limits
