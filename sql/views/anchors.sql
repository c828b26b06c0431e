-- one row per anchor: a string that most tokenizers have as one token
-- by which tokens the embeddings of two models can be compared, in the order in which they are read
--
-- position: place in the shipped list, from 0; what most tokenizers share comes first
-- kind: what it is: letter, digit, punctuation, a language, code, …
-- anchor: the string, with its leading space if it has one
select position, kind, anchor
from files.anchors
