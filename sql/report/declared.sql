-- one row per declared base of models that a page has room for (_shown_models), disagreements first
with

shown as (
    select list(model) as models from _shown_models
)

select
    repo, base, relation, read_from, agreement, z_eff,
    (select count(*) from declarations) as declared_bases
from declared_lineage_of(models := (select shown.models from shown))
order by agreement <> 'not shown', repo, base
