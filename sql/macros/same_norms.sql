-- one row per other model or repo whose norms are exactly those of this one: stored, or left out by a crawl
-- Fine-tuning often leaves norms as they were; of which of them another was made, equal norms cannot tell
--   is_stored  whether it is one of `models`; else it is one of `duplicates`
-- example: select count(*) from same_norms('glm')
create macro same_norms(of_model) as table
    with

    asked as (
        select norms_digest
        from models
        where model = of_model
    ),

    both_kinds as (
        select model, repo, commit, norms_digest, true as is_stored
        from models
        where model <> of_model
        union all by name
        select model, repo, commit, norms_digest, false as is_stored
        from duplicates
    )

    select model, repo, commit, is_stored
    from both_kinds
    join asked using (norms_digest)
    -- no row, but the error of a model that is not there
    union all by name
    select null as model
    where not known_models([of_model])
    order by not is_stored, model
