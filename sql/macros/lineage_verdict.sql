-- the words of the lineage test, from the largest and the smallest z of the parts that were asked, the z to reach, what
-- was asked ("weights"), and why nothing could be asked if so
-- What leaves no sign belongs to "no sign": a folded or reset norm that was trained on is a new one.
-- example: select lineage_verdict(1.2, 1.2, 5.0, 'weights', null)
create macro lineage_verdict(largest_z, smallest_z, needed_z, asked, obstacle) as
case
    when obstacle is not null then 'cannot tell: ' || obstacle
    when largest_z is null then 'cannot tell: nothing to compare'
    when largest_z >= needed_z then 'share weight history'
    when
        largest_z >= (select silent_z from lineage_thresholds())
        and needed_z > (select share_z_twice from lineage_thresholds())
        then 'cannot tell: few dimensions hold most of the pattern, so that chance can reach this z'
    when largest_z >= (select silent_z from lineage_thresholds())
        then 'cannot tell: the norms agree beyond chance, but below the threshold'
    when smallest_z <= -(select silent_z from lineage_thresholds())
        then 'cannot tell: the norms are opposed beyond chance, as after folding and training on'
    else
        'no sign of shared history in the norm ' || asked
        || ' (norms folded or reset and trained on, permuted or distilled leave none)'
end
