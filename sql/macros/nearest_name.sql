-- the name most like this one, whatever its case; NULL if none is like it
-- example: select nearest_name('Solr', ['glm', 'solar'])
create macro nearest_name(name, names) as
list_reverse_sort(list_filter(
    list_transform(
        names::varchar[],
        lambda other: {
            'likeness': jaro_winkler_similarity(lower(other), lower(name::varchar)),
            'name': other
        }
    ),
    lambda found: struct_extract(found, 'likeness') > 0.85
))[1].name
