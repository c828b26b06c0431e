-- id: printed.figure_scales
-- title: How Figures 2, 3-1 and 6 are drawn and coloured.
-- documents: sionic_ko, sionic_en
-- section: 2 Figure 2, 3 Figure 3-1(a), B.1 Figure 6
-- evidence: printed
-- needs:
-- version: 3
-- reading: Which way a diagonal runs, which colour a bar has and where a colour bar ends is seen in the drawings or
--   their code, which are not among the documents: no printed figure decides it.
-- history: v2: the printed axes also give a number of layers now; only their indices are read
-- history: v3: undecided: that the text fits itself does not show how the figures were drawn
with

items (item, statement) as (
    values
    ('sionic.fig2.diagonal_direction_ko', 'only the drawing of Figure 2 shows which way its diagonal runs'),
    ('sionic.fig3_1a.colours_by_level', 'only the drawing of Figure 3-1 shows its colours'),
    ('sionic.fig6.colorbar_0_2', 'only the drawing of Figure 6 shows where its colours end')
)

select
    item,
    'plain' as reading,
    statement,
    null::boolean as holds,
    null::double as observed
from items
