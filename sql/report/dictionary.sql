-- one row per public table of the catalog, in alphabetical order: what a row is, and what its columns hold
--
-- about: what a row is, and what question the table answers
-- columns: name, type and meaning of each
with

described as (
    select
        table_name,
        list({'name': column_name, 'type': lower(data_type), 'meaning': coalesce(comment, '')} order by column_index)
            as columns
    from duckdb_columns()
    where schema_name = 'main' and not internal
    group by table_name
)

select view_name as name, coalesce(comment, '') as about, columns
from duckdb_views()
join described on table_name = view_name
where schema_name = 'main' and not internal and view_name not like '\_%' escape '\'
order by name
