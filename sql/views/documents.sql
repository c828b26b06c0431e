-- one row per document of the argument, method of others, and source of measurements, in the order of every listing
-- who says it, and where it can be read
--
-- key: what `printed.document` and the claims call it
-- short: its name where space is short
-- name: its name in full
-- repository: where its authors published it
-- commit: the version of that repository that is read here
-- file: which file there
-- group: documents of the same group are versions of one text, or of one author
-- kind: document of the argument; method of others who compare norms; or measurement: output that its authors made
-- from the released weights
select key, short, name, repository, commit, file, "group", kind
from files.documents
