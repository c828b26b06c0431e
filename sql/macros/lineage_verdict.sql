-- the words for a z_eff; `reason`: why a small z_eff says nothing, NULL where it does say something
-- example: select lineage_verdict(1.2, null)
create macro lineage_verdict(z_eff, reason) as
case
    when z_eff >= (select share_z from lineage_thresholds()) then 'share weight history'
    when reason is not null then 'cannot tell: ' || reason
    when z_eff is null then 'cannot tell: nothing to compare'
    when z_eff >= (select silent_z from lineage_thresholds())
        then 'cannot tell: z_eff is beyond chance but below the threshold'
    else 'no sign of shared history in the norm weights'
end
