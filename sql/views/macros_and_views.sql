-- one row per macro and view: all that there is to ask; `questions` has the first ten
-- duckdb_columns() has the comments of a view's columns
--
-- ask: what to type after `from`
-- kind: macro or view
-- answer: what one row is, and which question it serves
-- example: a call that works on the models of the replica; NULL of views
with

macros as (
    select
        function_name || '(' || array_to_string(parameters, ', ') || ')' as ask,
        case function_type when 'table_macro' then 'macro' else 'value' end as kind,
        string_split(comment, chr(10)) as lines
    from duckdb_functions()
    where schema_name = 'main' and function_type in ('macro', 'table_macro') and comment is not null
),

views as (
    select view_name as ask, 'view' as kind, string_split(comment, '; ') as lines
    from duckdb_views()
    where schema_name = 'main' and not internal and not starts_with(view_name, '_') and comment is not null
),

both_kinds as (
    from macros
    union all
    from views
)

select
    ask, kind,
    lines[1] as answer,
    nullif(list_filter(lines, lambda line: starts_with(line, 'example: '))[1], '')[10:] as example
from both_kinds
where kind <> 'value'
order by kind, ask
