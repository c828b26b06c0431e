"""Every figure of the documents and some of our own, each a query under `sql/figures/` and a small chart.

catalogue/   what there is: names, titles, captions, needs; a file for each document, `normhouse.py` for ours
charts/      how it is drawn: functions from a query's rows to a chart, and the style of all of them
figure.py    what a figure is
pca.py       what SQL cannot do between rows and chart
sources.py   which lake a figure is read from
labels.toml  the words inside the charts in every language; translated.py puts them in their places
draw.py      the one way from a figure to rows, chart and files
named.py     `just figure NAME…`; the report and `just compare` draw theirs in `analysis/report/charts.py`
"""
