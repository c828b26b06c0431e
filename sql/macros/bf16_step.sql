-- distance from a number to the next larger one in BF16 (8 bits of significand, subnormals below 2^-126)
-- example: select bf16_step(1.0)
create macro bf16_step(x) as
2.0 ** greatest(coalesce(floor(log2(nullif(abs(x), 0))), -126), -126) * 2.0 ** -7
