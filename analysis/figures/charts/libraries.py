"""Altair, NumPy and Polars for the charts, each imported when a chart first asks something of it.

Together they take more than a second to import. So the catalogue can name the functions that draw, and
`just figure` still lists all figures at once; only drawing waits for the libraries. A chart module takes them
from here and uses nothing of them outside its functions; annotations are never evaluated and may name them.
Python 3.15 says the same with `lazy import altair as alt`.
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
