-- the one answer from what norms say (`lineage_pairs`) and what slices say (`slice_verdict`, NULL where there are none)
-- Either may find what the other does not: norms may be folded, matrices may be trained on. But where norms agree and
-- matrices that could be compared show nothing, the norms may be another model's: anybody can put them in and move the
-- difference into the next matrices
-- example: select lineage_answer('no sign of shared history in the norm weights', 'share weight history, in disguise')
create macro lineage_answer(by_norms, by_slices) as
case
    when by_slices is null then by_norms
    when by_slices = 'share weight history' then 'share weight history'
    when
        by_norms = 'share weight history'
        and (starts_with(by_slices, 'no sign') or by_slices = 'cannot tell: the slices are opposed beyond chance')
        then 'cannot tell: norms agree, the other weights do not: norms may have been replaced'
    when by_norms = 'share weight history' then 'share weight history'
    when starts_with(by_slices, 'share weight history') then by_slices
    when starts_with(by_norms, 'cannot tell') and starts_with(by_slices, 'no sign')
        then by_norms || '; ' || by_slices
    when starts_with(by_slices, 'cannot tell') then by_slices
    else replace(by_slices, 'shared history in ', 'shared history in norms and ')
end
