-- one row per model of the zoo and parent it was made from; a base has no parent
-- which small models are related, known because they were trained here
--
-- child: the model
-- parent: the model it was made from; NULL for a base
-- transformation: how it was made
-- kind: child, same start, distilled, disguise; of a base: independent or outliers
-- related: whether the two share weight history
-- why: in words
select child, parent, transformation, kind, related, why
from files.lineage_truth
