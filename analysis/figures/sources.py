"""Which lake a figure is read from.

Most figures show models of the lake at hand. Figures of models that were trained here, and of the lineage
test calibrated on them, are read from the lake at hand if it has these models, else from the lake that ships
with the project. Every chart names its lake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import duckdb

from analysis.figures.figure import Figure
from analysis.lakes import trained_catalog, trained_lake
from analysis.languages import Language
from warehouse.catalog.catalog import open_catalog
from warehouse.errors import LakeError, plain
from warehouse.lake import Lake

LAKE_WORDS: dict[Language, tuple[str, str, str]] = {
    "en": ("lake", "synthetic, no evidence", "not the released weights"),
    "ko": ("레이크", "합성 데이터, 증거 아님", "공개된 가중치 아님"),
}


@dataclass(frozen=True)
class Sources:
    """Connections to the lakes that figures are read from."""

    at_hand: duckdb.DuckDBPyConnection
    trained: duckdb.DuckDBPyConnection | None = None
    """To the lake of the models trained here; None if it is not needed, or is the one at hand."""

    def of(self, figure: Figure) -> duckdb.DuckDBPyConnection:
        """The connection to read a figure from; a LakeError names missing models and what to run."""
        source = self.at_hand
        lacking = missing(figure, source)
        if lacking and figure.about != "models" and self.trained is not None:
            source = self.trained
            lacking = missing(figure, source)
        if lacking:
            raise LakeError(_text_of_missing(figure, lacking, _lake_name(source)))
        return source


@contextmanager
def open_sources(lake: Lake, figures: Iterable[Figure], *, trained: bool = False) -> Iterator[Sources]:
    """Open the lake at hand and, if a figure or the caller needs it, the one of the models trained here."""
    about = {figure.about for figure in figures}
    if not trained and about <= {"models"}:
        with open_catalog(lake) as connection:
            yield Sources(connection)
        return
    # Unpack and calibrate before a catalog is opened, because it lists the tables of the moment it was built.
    shipped = trained_lake()
    if "calibration" in about:
        _calibrate(lake, shipped)
    with open_catalog(lake) as connection, trained_catalog(lake) as other:
        yield Sources(connection, other)


def missing(figure: Figure, connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The models that a figure needs and the lake lacks."""
    present = {model for (model,) in connection.sql("select model from models").fetchall()}
    return [model for model in figure.needs if model not in present]


def lake_lines(connection: duckdb.DuckDBPyConnection) -> dict[Language, str]:
    """Which data a chart shows, in the words it carries below its title, by language."""
    [(name, sources, caution)] = connection.sql("select lake, sources, caution from lake").fetchall()
    lines: dict[Language, str] = {}
    for language, (lake, synthetic, other) in LAKE_WORDS.items():
        kind = f" ({synthetic if 'replica' in sources else other})" if caution else ""
        lines[language] = plain(f"{lake} {name}{kind}")
    return lines


def _text_of_missing(figure: Figure, lacking: Sequence[str], lake: str) -> str:
    """Says which models a figure needs and which command brings them."""
    command = f"just ingest hub {' '.join(lacking)}"
    if all(model.startswith("toy_") for model in lacking):
        command = "just toy --size published"
    if figure.about == "calibration":
        command = "just zoo"
    return f"{figure.name} needs {', '.join(lacking)}, which lake {lake} lacks: `{command}` brings them"


def _lake_name(connection: duckdb.DuckDBPyConnection) -> str:
    [(name,)] = connection.sql("select lake from lake").fetchall()
    return str(name)


def _calibrate(lake: Lake, shipped: Lake) -> None:
    """Calibrates the lake at hand if it is a zoo, else the shipped one; takes about 10 s the first time."""
    from analysis.lineage.calibrate import calibrated  # slow to import, and two figures in forty need it
    from analysis.lineage.rates import TRUTH_FILE

    calibrated(lake if (lake.folder / TRUTH_FILE).exists() else shipped)
