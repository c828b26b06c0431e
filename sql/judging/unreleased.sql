-- one row per model of the lake: where it is from, if that is not the registry's repo at a hub; NULL if it is
-- Only of the latter is a statement about released weights judged: anybody may call a folder `glm`.
select
    model,
    case
        when source = 'replica' then 'synthetic'
        when source = 'unknown' then 'of unknown source'
        when source <> 'hub' then format('from a folder ({})', source)
        when registry_repo is null then format('from {}', repo)
    end as unreleased
from models
