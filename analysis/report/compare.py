"""`just compare A B`: two models in the terminal, and the charts of the argument for this pair as a page."""

from __future__ import annotations

import difflib
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import duckdb
from rich.table import Table
from rich.text import Text

from analysis.claims.show import console, number
from analysis.figures.catalogue.pairs import for_pair
from analysis.figures.figure import QUERIES, Figure
from analysis.figures.sources import Sources
from analysis.rendering import Renderer
from analysis.report.charts import draw_all
from analysis.report.compare_words import CAUTION, Sentences, lineage_sentence, sentences
from analysis.report.page import make_folder, render, vega_bundle, write
from analysis.rows import about_lake, records
from warehouse import VERSION
from warehouse.errors import UsageError
from warehouse.talk import Talk

FOLDER = QUERIES / "compare"

# Figures of the page and, for a stranger's pair, what to look at.
CAPTIONS = {
    "figure_01": (
        "Fifty dimensions of the input norm, by quartiles: as stored, with each mean taken out, and the "
        "similarity at all layers. The slider chooses the layer and starts at the highest cosine."
    ),
    "figure_02": "Input norm. If the two had layers in common, the diagonal would stand out on the right.",
    "decomposition": (
        "Input norm. The offset share is what the two means alone give, and what shuffled dimensions would "
        "give on average; the pattern share is the rest. They add up to the cosine exactly."
    ),
    "drift": "To be read as drift only if one model is known to come from the other.",
    "figure_08": "Statistics of each input norm vector.",
    "figure_09": "Histograms from −0.2 to 2.0; values beyond are left out and counted.",
}


def compare(
    connection: duckdb.DuckDBPyConnection, a: str, b: str, out: Path, terminal: TextIO, talk: Talk
) -> Path:
    """Prints the comparison, writes the page, returns its path."""
    check_models(connection, a, b)
    make_folder(out)
    metrics, said = measured(connection, a, b)
    about = about_lake(connection)
    [row] = records(connection, "from lineage($a, $b)", {"a": a, "b": b})
    lineage = lineage_sentence(row)
    show(
        metrics,
        said,
        [lineage, *([f"Caution: {about['caution']}"] if about["caution"] else [])],
        (a, b),
        terminal,
    )
    name = f"compare-{a}-{b}"
    with Renderer() as renderer:
        bundle = vega_bundle(out, renderer)
        shown = draw_all(pair_figures(a, b), Sources(connection), out / name, renderer, talk)
    values = {"a": a, "b": b, "about": about, "metrics": metrics, "said": said, "caution": CAUTION}
    values["lineage"] = lineage
    page = out / f"{name}.html"
    write(page, render("compare.html", bundle.result(), {**values, "drawn": shown, "version": VERSION}))
    return page


def check_models(connection: duckdb.DuckDBPyConnection, a: str, b: str) -> None:
    """Refuses what cannot be compared."""
    known = [model for (model,) in connection.execute("select model from models order by model").fetchall()]
    for alias in (a, b):
        if alias not in known:
            near = difflib.get_close_matches(alias, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(known) or 'none'}"
            raise UsageError(f"no model {alias!r} in this lake: {hint}")
    if a == b:
        raise UsageError(f"{a!r} with itself says nothing: name two models")


def pair_figures(a: str, b: str) -> list[Figure]:
    """The figures of the report for this pair."""
    figures = for_pair(a, b)
    return [
        replace(figures[name], words=replace(figures[name].words, caption={"en": caption}), section="")
        for name, caption in CAPTIONS.items()
    ]


def measured(
    connection: duckdb.DuckDBPyConnection, a: str, b: str
) -> tuple[list[dict[str, object]], list[Sentences]]:
    """Every metric by norm, and the sentences they come to."""
    with connection.cursor() as own:
        own.execute("set variable model_a = ?", [a])
        own.execute("set variable model_b = ?", [b])
        metrics = records(own, (FOLDER / "metrics.sql").read_text(encoding="utf-8"))
        figures = records(own, (FOLDER / "words.sql").read_text(encoding="utf-8"))
    return metrics, sentences(figures)


def show(
    metrics: list[dict[str, object]],
    said: list[Sentences],
    first: list[str],
    models: tuple[str, str],
    terminal: TextIO,
) -> None:
    screen = console(terminal)
    screen.print(Text(f"{models[0]} and {models[1]}", "bold"))
    for opening in first:
        screen.print(Text(opening))
    if not said:
        screen.print(Text("No norm of the same kind, layer and width: there is nothing to compare."))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("norm", overflow="fold")
    table.add_column("metric")
    for heading in ("layers", "mean", "lowest", "highest", "at layer"):
        table.add_column(heading, justify="right")
    last = None
    for row in metrics:
        figures = (_number(row[key]) for key in ("mean", "low", "high"))
        norm_shown = "" if row["ln_type"] == last else str(row["ln_type"])
        at = "" if row["layer_of_high"] is None or row["layer_of_high"] == -1 else str(row["layer_of_high"])
        table.add_row(Text(norm_shown), str(row["metric"]), str(row["layers"]), *figures, at)
        last = row["ln_type"]
    screen.print(table)
    for norm in said:
        screen.print(Text(f"\n{norm.ln_type}", "bold"))
        for line in norm.lines:
            screen.print(Text(line))
    screen.print(Text(f"\n{CAUTION}"))


def _number(value: object) -> str:
    return number(value if isinstance(value, float) else None)
