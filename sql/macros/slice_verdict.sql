-- what slices alone say: from the p of the exact tests and of their opposites, their number paid for, the share of
-- neurons that agree, why a disguise could not be seen if so, and how many layers were compared
-- example: select slice_verdict(0.3, 0.9, 0.01, null, 2)
create macro slice_verdict(p, p_opposed, share, obstacle, layers) as
case
    when p <= (select normal_tail(share_z) from lineage_thresholds()) then 'share weight history'
    when share >= (select disguised_share from lineage_thresholds()) then 'share weight history, in disguise'
    when share >= (select silent_share from lineage_thresholds())
        then 'cannot tell: more neurons agree than those of strangers, but fewer than the threshold'
    when p <= (select normal_tail(silent_z) from lineage_thresholds())
        then 'cannot tell: the slices agree beyond chance, but below the threshold'
    when p_opposed <= (select normal_tail(silent_z) from lineage_thresholds())
        then 'cannot tell: the slices are opposed beyond chance'
    when obstacle is not null then 'cannot tell: ' || obstacle
    when share is null then 'cannot tell: nothing to compare'
    else
        'no sign of shared history in '
        || case layers when 1 then 'one layer' when 2 then 'two layers' else layers || ' layers' end
end
