"""What figures there are: words, queries, models they need, functions that draw them.

FIGURES is all of them in the order of the report, those of the main page first (ARGUMENT); pairs.py has those
that any two models can be drawn with.
Cheap to import: the libraries that draw wait until one is drawn (`charts/libraries.py`).
"""

from __future__ import annotations

from analysis.figures.catalogue.argument import ARGUMENT
from analysis.figures.catalogue.critique import CRITIQUE
from analysis.figures.catalogue.hyunwoong import HYUNWOONG
from analysis.figures.catalogue.normhouse import NORMHOUSE
from analysis.figures.catalogue.sionic import SIONIC
from analysis.figures.catalogue.sionic_appendix import SIONIC_APPENDIX
from analysis.figures.figure import Figure

FIGURES: dict[str, Figure] = {
    figure.name: figure
    for figure in (*ARGUMENT, *SIONIC, *SIONIC_APPENDIX, *HYUNWOONG, *CRITIQUE, *NORMHOUSE)
}
