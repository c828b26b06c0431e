"""`just compare A B`: measures two models, describes them in words, and draws their charts on a page."""

from __future__ import annotations

import argparse
import shlex
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

from analysis.figures.figure import QUERIES
from analysis.lakes import announce, find_models
from analysis.lineage.pair import answered
from analysis.lineage.show import pair_object
from analysis.rows import about_lake, fetch_dicts, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import counted, show
from warehouse.console.progress import Progress
from warehouse.errors import UsageError
from warehouse.lake import existing_lake

FOLDER = QUERIES / "compare"

SHOWN = ("cosine", "offset_share", "pearson", "rel_l2")
CAUTION = (
    "This compares numbers. Norm weights cannot settle whether one model was derived from another: "
    "shared training practice raises a cosine, and retraining can erase a pattern."
)
LIMIT = "Norm weights cannot settle whether one model was derived from another."
NOTHING = "No norm of the same kind, layer and width: there is nothing to compare."
MOSTLY_CHANGED = 0.9  # up to this share of changed values, the unchanged ones are worth a sentence
WIDTH = 80  # columns of the terminal
MOST_TOLD = 2  # norms told in sentences by --details: those of most layers
MOST_NORMS = 3  # lines of the short table


def main(options: argparse.Namespace) -> int:
    lake = existing_lake(options.lake)
    with open_catalog(lake) as connection, Progress(quiet=options.quiet) as progress:
        announce(connection, lake, caution=False)
        a, b = find_models(connection, lake, options.a, options.b)
        found = compared(connection, a, b)
        if options.json:
            show_json(as_object(found))
            return 0
        show(*(detailed_lines(found) if options.details else brief_lines(found)))
        # not before the answer: it takes longer to import than the answer to find
        from analysis.report.compare_page import write_page

        page = write_page(connection, for_page(found), options.out, progress)
    show(page.resolve().as_uri())
    return 0


@dataclass(frozen=True)
class Sentences:
    """About one norm of the two models."""

    ln_type: str
    lines: tuple[str, ...]
    layers: int
    chance_std: float | None
    """Standard deviation of the correlation of shuffled dimensions, in one layer."""


def sentences(rows: Iterable[Mapping[str, Any]]) -> list[Sentences]:
    """One paragraph per norm, from the rows of `sql/figures/compare/words.sql`."""
    return [
        Sentences(row["ln_type"], tuple(_lines(row)), row["matched_layers"], row["chance_std"])
        for row in rows
    ]


def _lines(row: Mapping[str, Any]) -> Iterable[str]:
    layers = row["matched_layers"]
    if row["cosine_mean"] is None:
        yield "The cosine is undefined: a vector of zeros has no direction."
        return
    shares = (
        f"The means alone give {_figure(row['offset_share_mean'])}; "
        f"the patterns around them change it by {_signed(row['pattern_share_mean'])}."
    )
    if layers == 1:
        yield f"The cosine is {_figure(row['cosine_mean'])}. {shares}"
    else:
        reach = f"{_figure(row['cosine_min'])} to {_figure(row['cosine_max'])}"
        averages = f"the cosine averages {_figure(row['cosine_mean'])} ({reach})"
        yield f"Over the {layers} layers that both have, {averages}. {shares}"
    if row["judged"] == 0:
        yield "The correlation is undefined: a vector whose values are all the same has no pattern."
        return
    yield _correlation(row)
    if row["mismatched_pairs"] and row["pearson_mismatched_mean"] is not None:
        unequal = f"Unequal layers ({row['mismatched_pairs']} pairs) correlate at"
        yield f"{unequal} {_figure(row['pearson_mismatched_mean'])} on average."
    if row["changed_mean"] is not None and row["changed_mean"] < MOSTLY_CHANGED:
        yield f"{1 - row['changed_mean']:.1%} of the values are the same number in both."


def _correlation(row: Mapping[str, Any]) -> str:
    chance = f"shuffled dimensions would give 0 ± {_figure(row['chance_std'])}"
    if row["judged"] == 1:
        return f"Without the means, the correlation is {_figure(row['pearson_mean'])}; {chance}."
    reach = f"{_figure(row['pearson_min'])} to {_figure(row['pearson_max'])}"
    averages = f"the correlation averages {_figure(row['pearson_mean'])} ({reach})"
    return f"Without the means, {averages}; {chance} in each layer."


def lineage_sentence(row: Mapping[str, Any]) -> str:
    """What the lineage test says of the two; z is that of the norms."""
    z = "" if row["z_eff"] is None else f" z is {row['z_eff']:+.1f}, by {row['statistic_used']}."
    asked = "norms and slices tell" if row.get("slices") else "norms tell"
    verdict, _, limits = row["verdict"].partition(" (norms ")
    rest = f" Norms {limits.removesuffix(')')}." if limits else ""
    return f"Do they share weight history, as far as {asked}? {verdict.capitalize()}.{z}{rest}"


@dataclass(frozen=True)
class Compared:
    """What is known of two models: the same on the screen, on the page and in JSON."""

    models: tuple[str, str]
    about: dict[str, Any]
    lineage: dict[str, Any]
    metrics: list[dict[str, Any]]
    said: list[Sentences]

    @property
    def opening(self) -> str:
        return lineage_sentence(self.lineage)


def compared(connection: duckdb.DuckDBPyConnection, a: str, b: str) -> Compared:
    if a == b:
        raise UsageError(f"{a!r} with itself says nothing: name two models")
    lineage = pair_object(answered(connection, a, b))
    return Compared((a, b), about_lake(connection), lineage, *measured(connection, a, b))


def for_page(found: Compared) -> dict[str, Any]:
    a, b = found.models
    words = {"caution": CAUTION, "lineage": found.opening, "said": found.said}
    return {"a": a, "b": b, "about": found.about, "metrics": found.metrics, **words}


def measured(
    connection: duckdb.DuckDBPyConnection, a: str, b: str
) -> tuple[list[dict[str, Any]], list[Sentences]]:
    """Every metric by norm, and the sentences about them."""
    with connection.cursor() as own:
        own.execute("set variable model_a = ?", [a])
        own.execute("set variable model_b = ?", [b])
        metrics = fetch_dicts(own, (FOLDER / "metrics.sql").read_text(encoding="utf-8"))
        figures = fetch_dicts(own, (FOLDER / "words.sql").read_text(encoding="utf-8"))
    return metrics, sentences(figures)


def brief_lines(found: Compared) -> list[str]:
    """The answer on one screen: lineage, the means of each norm, what chance would give, the cautions."""
    a, b = found.models
    verdict = found.lineage["verdict"].partition(" (")[0]
    z = "" if found.lineage["z_eff"] is None else f" (z {found.lineage['z_eff']:+.1f})"
    lines = _wrapped(f"{a} and {b}: {verdict}{z}.")
    if found.said:
        main = max(found.said, key=lambda norm: norm.layers)
        lines += _table(found, MOST_NORMS)
        lines += _wrapped(
            "Offset is the part of the cosine that the means alone give. Pearson is the correlation without "
            f"the means; chance gives 0 ± {_figure(main.chance_std)} in each layer."
        )
    else:
        lines.append(NOTHING)
    if found.about["caution"]:
        lines += _wrapped(f"Caution: {found.about['caution']}.")
    return [*lines, LIMIT]


def detailed_lines(found: Compared) -> list[str]:
    """The same in sentences, with every norm and the query that gives every metric."""
    a, b = found.models
    lines = [f"{a} and {b}", "", *_wrapped(found.opening)]
    if found.about["caution"]:
        lines += _wrapped(f"Caution: {found.about['caution']}.")
    if not found.said:
        return [*lines, "", NOTHING]
    for norm in sorted(found.said, key=lambda norm: -norm.layers)[:MOST_TOLD]:
        lines += ["", norm.ln_type, *_wrapped(" ".join(norm.lines))]
    lines += ["", *_table(found), "", *_wrapped(CAUTION)]
    return [*lines, "", "Every metric: the page below, --json, or", _command(a, b)]


def as_object(found: Compared) -> dict[str, Any]:
    """For --json."""
    return {
        **found.about,
        "model_a": found.models[0],
        "model_b": found.models[1],
        "lineage": found.lineage,
        "said": {norm.ln_type: list(norm.lines) for norm in found.said},
        "metrics": found.metrics,
    }


def _command(a: str, b: str) -> str:
    """A command that is safe to copy into a shell, whatever the models' names are."""
    named = ", ".join("'" + model.replace("'", "''") + "'" for model in (a, b))
    query = f"from compare({named})"
    return f'just sql "{query}"' if not set(query) & set('"$`\\!') else f"just sql {shlex.quote(query)}"


def _table(found: Compared, most: int | None = None) -> list[str]:
    """One line per norm, means over the layers that both have; with `most`, the norms of most layers."""
    by_norm: dict[str, dict[str, dict[str, Any]]] = {}
    for row in found.metrics:
        by_norm.setdefault(str(row["ln_type"]), {})[str(row["metric"])] = row
    names = sorted(by_norm, key=lambda name: -by_norm[name]["cosine"]["layers"])[:most]
    wide = max(len("means over layers"), *map(len, names))
    lines = [f"{'means over layers':{wide}} layers  cosine  offset Pearson (lowest,highest)  rel_l2"]
    for name in (name for name in by_norm if name in names):
        cosine, offset, pearson, rel_l2 = (by_norm[name][metric] for metric in SHOWN)
        reach = f"({_figure(pearson['low'], 3)},{_figure(pearson['high'], 3)})"
        figures = " ".join(f"{_figure(row['mean']):>7}" for row in (cosine, offset, pearson))
        lines.append(
            f"{name:{wide}} {cosine['layers']:>6} {figures} {reach:>16} {_figure(rel_l2['mean']):>7}"
        )
    if len(by_norm) > len(names):
        lines.append(f"and {counted(len(by_norm) - len(names), 'more norm')}: --details")
    return lines


def _figure(value: float | None, digits: int = 4) -> str:
    """NULL is undefined, never 0, and zero has no minus sign."""
    return "undef." if value is None else f"{value:z.{digits}f}"


def _signed(value: float | None) -> str:
    return _figure(value) if value is None or round(value, 4) == 0 else f"{value:+.4f}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH)
