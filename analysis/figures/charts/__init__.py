"""How figures are drawn. A function named as a query turns its rows into an Altair chart.

`<query>_facts` beside it takes the same rows and returns the figures that title and caption state.

style.py             colours, shapes, fonts, scales, the title of every chart
shares.py            the two exact parts of a cosine; two models without their means
weights.py           weights of two models: a sample, histograms
heatmaps.py          every layer against every layer; weights by layer
matrices.py          small matrices with their numbers
layers.py            lines over the layers
baselines.py         what a cosine is compared with: layers, random vectors, small models
pairs.py             what a cosine is compared with: other pairs of models, chance; where documents disagree
three_dimensions.py  what is drawn in three dimensions
calibration.py       how often the lineage test is wrong

`alt`, `np` and `pl` are Altair, NumPy and Polars, each imported when it is first used, because together they
take more than a second to import. So the catalogue can name the functions that draw, and `just figure` lists
all figures at once. A chart module uses them only inside its functions; annotations are never evaluated and
may name them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["alt", "np", "pl"]

if TYPE_CHECKING:
    import altair as alt
    import numpy as np
    import polars as pl
else:

    class _ImportedOnUse:
        def __init__(self, module: str) -> None:
            self._module = module

        def __getattr__(self, name: str) -> object:
            return getattr(import_module(self._module), name)

    alt, np, pl = _ImportedOnUse("altair"), _ImportedOnUse("numpy"), _ImportedOnUse("polars")
