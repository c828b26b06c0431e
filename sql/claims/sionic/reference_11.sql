-- id: sionic.reference_11
-- title: Reference [11] gives arXiv 2209.13325, Outlier Suppression, to Tim Dettmers and others.
-- documents: sionic_ko, sionic_en
-- section: References
-- evidence: printed
-- needs:
-- version: 1
-- reading: Compared with the authors that arXiv lists for that number, https://arxiv.org/abs/2209.13325
--   (Xiuying Wei and seven others). Title and number agree with arXiv. Nothing of the analysis rests on this
--   reference, which stands under future work. Observed is how many of the listed authors are the one named.
with

listed as (
    select
        unnest([
            'Xiuying Wei', 'Yunchen Zhang', 'Xiangguo Zhang', 'Ruihao Gong', 'Shanghang Zhang', 'Qi Zhang',
            'Fengwei Yu', 'Xianglong Liu'
        ]) as author
)

select
    'sionic.references.ref11_dettmers' as item,
    'plain' as reading,
    'arXiv lists Tim Dettmers among the authors' as statement,
    count_if(author = 'Tim Dettmers') > 0 as holds,
    count_if(author = 'Tim Dettmers') as observed
from listed
