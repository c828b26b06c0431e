-- how many models without relation are expected to stand so high by chance, among so many that were searched: what
-- is rare in one pair is not among a hundred thousand. Where weights and biases are both asked, chance has two tries
-- example: select strangers_by_chance(normal_tail(5.0), 5.0, null, 100000)
create macro strangers_by_chance(p, z_weights, z_biases, searched) as
p * searched * case when z_weights is not null and z_biases is not null then 2 else 1 end
