"""How figures are drawn: each function takes a query's rows and gives an Altair chart.

style.py             colours, shapes, fonts, scales, the title of every chart
libraries.py         Altair, NumPy and Polars, imported on use
shares.py            the two exact parts of a cosine; two models without their means
weights.py           weights of two models: a sample, histograms
heatmaps.py          every layer against every layer; weights by layer
matrices.py          small matrices with their numbers
layers.py            lines over the layers
baselines.py         what a cosine is compared with: layers, random vectors, small models
pairs.py             what a cosine is compared with: other pairs of models, chance
three_dimensions.py  what is drawn in three dimensions
calibration.py       how often the lineage test is wrong
contradictions.py    where documents disagree
"""
