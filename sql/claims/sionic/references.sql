-- id: sionic.references
-- title: The papers and pages among the references are by the authors named there.
-- documents: sionic_ko, sionic_en
-- section: References
-- evidence: printed
-- needs:
-- version: 1
-- reading: Each reference names its first author, or the company whose page it is; that name is compared with
--   the authors that arXiv lists for the number given (6: 1607.06450, 8: 2312.04828, 9: 2410.14273, 11:
--   2209.13325) and with the owner of the page given (10: ceramic.ai/blog/zerocentered, headed Zero-centered
--   Re-parameterization of LayerNorm there). Titles and numbers of the papers agree with arXiv. Nothing of the
--   analysis rests on reference [11], which belongs to future work. Observed is how many of the authors or
--   owners are the one named.
with

named (item, name) as (
    values
    ('ref6_ba', 'Jimmy Lei Ba'), ('ref8_zeng', 'Boyi Zeng'), ('ref9_zhang', 'Jie Zhang'),
    ('ref10_ceramic', 'Ceramic AI'), ('ref11_dettmers', 'Tim Dettmers')
),

listed (item, authors) as (
    values
    ('ref6_ba', ['Jimmy Lei Ba', 'Jamie Ryan Kiros', 'Geoffrey E. Hinton']),
    ('ref8_zeng', [
        'Boyi Zeng', 'Lizheng Wang', 'Yuncong Hu', 'Yi Xu', 'Chenghu Zhou', 'Xinbing Wang', 'Yu Yu', 'Zhouhan Lin'
    ]),
    ('ref9_zhang', [
        'Jie Zhang', 'Dongrui Liu', 'Chen Qian', 'Linfeng Zhang', 'Yong Liu', 'Yu Qiao', 'Jing Shao'
    ]),
    ('ref10_ceramic', ['Ceramic AI']),
    ('ref11_dettmers', [
        'Xiuying Wei', 'Yunchen Zhang', 'Xiangguo Zhang', 'Ruihao Gong', 'Shanghang Zhang', 'Qi Zhang',
        'Fengwei Yu', 'Xianglong Liu'
    ])
)

select
    'sionic.references.' || item as item,
    'plain' as reading,
    name || ' is among the authors or owners listed' as statement,
    list_contains(authors, name) as holds,
    list_contains(authors, name)::integer as observed
from named
join listed using (item)
