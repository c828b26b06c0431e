-- id: printed.model_pairs
-- title: Four models make six pairs (Figure 5), of which the conclusion compares four.
-- documents: sionic_ko, sionic_en
-- section: 4 Figure 5, Conclusion
-- evidence: printed
-- needs:
-- version: 2
-- reading: Six is the number of pairs of the models listed in E.1. Four is the number of pairs in the table of
--   the conclusion, counted by the cosines it prints. That the conclusion leaves two of the six out is no
--   contradiction unless it is read as all that was compared. Both count what the document shows: definitions.
-- history: v2: names its reading
with

counts as (
    select distinct item, value, half_digit
    from printed
    where item in ('sionic.fig5.six_pairs', 'sionic.conclusion.four_pairs')
),

listed_models as (
    select count(distinct model_a) as models
    from printed
    where section = 'E.1' and metric = 'layer_count'
),

concluded_pairs as (
    select count(distinct(model_a, model_b)) as pairs
    from printed
    where section = 'Conclusion' and metric = 'cosine' and relation = '='
)

select
    counts.item,
    'plain' as reading,
    counts.value as expected,
    counts.half_digit as tolerance,
    case counts.item
        when 'sionic.fig5.six_pairs' then models * (models - 1) / 2
        else pairs
    end as observed
from counts
cross join listed_models
cross join concluded_pairs
order by counts.item
