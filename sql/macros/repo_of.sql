-- `owner/name` of what people write for a model of the hub, its address with or without a revision or file included;
-- NULL for anything else, such as an address elsewhere
-- example: select repo_of('https://huggingface.co/zai-org/GLM-4.5-Air/tree/main')
create macro repo_of(name) as
nullif(
    regexp_extract(
        trim(name),
        '^(?:https?://(?:www\.)?(?:huggingface|hf)\.co/+)?([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)'
        || case when contains(name, '://') then '(?:[/@?#].*)?$' else '/?(?:@.*)?$' end,
        1
    ),
    ''
)
