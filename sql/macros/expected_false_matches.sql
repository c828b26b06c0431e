-- how many unrelated models are expected to reach this p by chance among so many that were searched; where both weights
-- and biases are tested, chance has two tries
-- example: select expected_false_matches(normal_tail(5.0), 5.0, null, 100000)
create macro expected_false_matches(p, z_weights, z_biases, searched) as
p * searched * case when z_weights is not null and z_biases is not null then 2 else 1 end
