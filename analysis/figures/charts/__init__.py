"""How figures are drawn: each function takes a query's rows and gives an Altair chart.

style.py             colours, shapes, fonts, scales, the title of every chart
libraries.py         Altair, NumPy and Polars, imported on use
patterns.py          two models without their means: a line, or a cloud
shares.py            the two exact parts of a cosine
sampled.py           weights of two models side by side
heatmaps.py          every layer against every layer; weights by layer
layers.py            lines over the layers
mean_subtraction.py components.py
                     what is drawn in three dimensions, with three_dimensions.py
ridges.py            histograms above each other
matrices.py          small matrices with their numbers
baselines.py         what a cosine is compared with: layers, random vectors, small models
spreads.py           what a cosine is compared with: other pairs of models
permutations.py      distance from chance
calibration.py       how often the lineage test is wrong
contradictions.py    where documents disagree
"""
