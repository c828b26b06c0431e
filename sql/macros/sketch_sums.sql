-- how many sums of ranks the bits of a model are made of, by its width: 4096 bits are enough to find relatives that
-- share a tenth of the pattern, and a single sum of a narrow model has fewer
-- example: select sketch_sums(512)
create macro sketch_sums(width) as case when 4 * width > 4096 then 1 else 4 end
