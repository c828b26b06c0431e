"""Every figure of the documents and some of our own, each a query under `sql/figures/` and a small chart.

words/        what there is: a table of TOML per figure with its words, the models it needs, its claims
catalogue.py  the figures: those tables with the functions that draw them; `just figure`
charts/       how figures are drawn, what their words say of the rows, and the style of all
sources.py    which lake a figure is read from
labels.toml   the words inside the charts in every language; `translated.py` replaces them
draw.py       from a figure to rows, chart and files
"""
