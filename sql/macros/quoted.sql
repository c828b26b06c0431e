-- a text as a string of SQL, for macros that take a call as text
-- example: select quoted('solar')
create macro quoted(plain) as '''' || replace(plain, '''', '''''') || ''''
