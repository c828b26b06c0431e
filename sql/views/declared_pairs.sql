-- one row per model and base model that it declares: which models of the lake are meant
-- what `declared_lineage` compares; the text of a declaration is in `declarations`, too
--
-- base: name or address of the base model, as written
-- relation: finetune, adapter, merge or quantized, as written; NULL where nothing is said
-- read_from: hub metadata, README.md or GGUF header
-- is_stored: whether the model is one of `models`; else it is one of `duplicates`
-- base_repo: owner/name of the base, or the base as written if that is no repo
-- compared: model of the lake that has the norms of the declaring one
-- base_model: model of the lake that has the norms of the declared base; NULL if it is not in the lake
-- is_itself: whether the declared base is the declaring repo, by either name if it was renamed
with

declared as (
    select *, coalesce(repo_of(base), base) as base_repo
    from declarations
),

stored_once as (
    select model, same_as from duplicates
),

renamed as (
    select model, renamed_to from models
    union
    select model, renamed_to from duplicates
)

select
    declared.model, declared.repo, declared.base, declared.relation, declared.read_from, declared.is_stored,
    declared.base_repo,
    case when declared.is_stored then declared.model else stored_once.same_as end as compared,
    bases.model as base_model,
    coalesce(lower(declared.base_repo) in (lower(declared.repo), lower(renamed_to)), false) as is_itself
from declared
left join _repo_names as bases on bases.name = lower(declared.base_repo)
left join renamed on renamed.model = declared.model
left join stored_once on stored_once.model = declared.model and not declared.is_stored
