"""Reads and checks the CSV files of `sql/`: the documents, their statements and figures, and the anchors.

documents.csv    key, names, repository, commit and file of each document, in the order of every listing
items.csv        their statements, one per row
printed.csv      the figures they print; `read_printed` checks every row
measured.csv     figures that others measured on the released weights
headlines.toml   the argument in a dozen lines
anchors.csv      strings that most tokenizers have as one token, by which embeddings are compared

The anchors are our own choice: letters, digits, punctuation, common words of several languages with and
without a leading space, code. Each model gives the first of them that it has, so the order begins with
those that most tokenizers share.

One row of `printed` is one figure: which document and section prints it, the claim (`item`) it belongs to,
what it is about, and the figure as printed. Two rows are about the same quantity if model_a, layer_a,
model_b, layer_b, ln_type, metric, scope and aggregate agree; then their intervals must overlap or the
documents contradict each other. Symmetric metrics name the models in one order (solar, glm, intellect, phi,
mixtral, …) and the lower layer of one model first; rel_l2 names its base first. `scope` is what the figure
covers if it is not one vector or one pair of layers (`overall`: the document does not say which layers),
`aggregate` how it is summarised (`each`: it holds for every member of the scope). `half_digit` is half of
the last printed digit: the figure is value ± half_digit, or low − half_digit to high + half_digit; an
inequality has only low or high. Percentages are stored as fractions, and a power of ten in a unit (100B,
8KB) as an exponent. A number format is the bits of its fraction, 10 for FP16 and 7 for BF16. If the
document does not write the number itself, `note` begins with its words: "printed 90%", "printed FP16".
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse.catalog.definitions import SQL
from warehouse.errors import FormatError
from warehouse.tables import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = SQL / "documents"
ITEMS_CSV = FOLDER / "items.csv"
HEADLINES = FOLDER / "headlines.toml"

OWN_GROUP = "normhouse"
"""The group of claims and findings that no document states."""


@dataclass(frozen=True)
class Document:
    """One source; documents of the same group are versions of one text, or of one author."""

    key: str
    short: str
    name: str
    repository: str
    commit: str
    file: str
    group: str
    kind: str
    """`document` of the argument, `method` of others who compare norms, or `measurement`: output that its
    authors made from the released weights."""


def documents() -> dict[str, Document]:
    """All sources but measurements, by key, in the order of `documents.csv`."""
    return {key: source for key, source in sources().items() if source.kind != "measurement"}


@cache
def sources() -> dict[str, Document]:
    """Documents, methods and published measurements: every source of figures in `printed`."""
    table = TABLES["documents"]
    return {row["key"]: Document(**row) for _, row in read_rows(table.path, tuple(table.columns))}


def group_of(keys: tuple[str, ...]) -> str:
    """The group of a statement of these documents."""
    return documents()[keys[0]].group if keys else OWN_GROUP


def short_name(key: str) -> str:
    return sources()[key].short if key in sources() else key


def read_rows(path: Path, columns: tuple[str, ...]) -> list[tuple[int, dict[str, str]]]:
    """Line number and cells of each row of a CSV file that has just these columns, or FormatError."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = csv.reader(file, strict=True)
            header = tuple(next(lines, []))
            if header != columns:
                raise FormatError(f"{path.name} line 1: columns are {header}; write {','.join(columns)}")
            rows = []
            for cells in lines:
                if len(cells) != len(columns):
                    raise FormatError(
                        f"{path.name} line {lines.line_num}: {len(cells)} cells; "
                        f"write one for each of the {len(columns)} columns"
                    )
                rows.append((lines.line_num, dict(zip(columns, cells, strict=True))))
    except FileNotFoundError:
        raise FormatError(f"{path} does not exist; restore it") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"{path.name} is not plain UTF-8 CSV: {error}; repair or restore it") from error
    return rows


@cache
def anchors() -> tuple[str, ...]:
    """All of them, in the shipped order; a leading space is part of the string."""
    table = TABLES["anchors"]
    return tuple(row["anchor"] for _, row in read_rows(table.path, tuple(table.columns)))


PRINTED = TABLES["printed"]
PRINTED_CSV = PRINTED.path

_NUMBERS = ("value", "low", "high", "half_digit")
_LAYERS = ("layer_a", "layer_b")
_NEVER_EMPTY = ("document", "section", "item", "metric", "relation", "half_digit")
COLUMNS = tuple(PRINTED.columns)

LN_TYPES = {"input_layernorm", "post_attention_layernorm", "k_proj", "v_proj"}
AGGREGATES = {"mean", "std", "min", "max", "each"}

# Which of value, low and high a relation fills; the others stay empty.
RELATIONS = {
    "=": {"value"},
    "≈": {"value"},
    ">": {"low"},
    ">=": {"low"},
    "<": {"high"},
    "<=": {"high"},
    "range": {"low", "high"},
    "approx_range": {"low", "high"},
}

# No digit of these is rounded, so half_digit is 0.
EXACT_METRICS = (
    {"count", "layer_count", "dimension_count", "hidden_size", "bytes_per_value", "fraction_bits"}  # counted
    | {"layer_index", "layer_gap", "percentile", "colour_range", "init_value", "alpha"}  # chosen
    | {"sum_of_components", "inner_product"}  # zero by definition
    | {"log10_p"}  # the bound of a P-value, a power of ten
)
# `pearson` and `centered_cosine` are one quantity under the two names that the documents use.
METRICS = (
    EXACT_METRICS
    | {"cosine", "pearson", "centered_cosine", "angle_degrees", "sigma"}  # two vectors, how alike
    | {"l2_distance", "rel_l2", "mean_abs_diff", "cv_diff", "changed_ratio"}  # two vectors, how far apart
    | {"gamma", "mean", "std", "l2_norm"}  # one vector; gamma is a single weight of it
    | {"parameter_count", "vocab_size", "share", "bytes", "loss", "runtime"}  # a whole model or run
)

_ALLOWED: dict[str, Collection[str]] = {
    "relation": RELATIONS,
    "metric": METRICS,
    "ln_type": LN_TYPES,
    "aggregate": AGGREGATES,
}
_ALIAS = re.compile(r"[a-z0-9_]+")

Row = dict[str, str | int | float | None]


def read_printed(path: Path = PRINTED_CSV) -> pa.Table:
    """The table `printed`, rows in file order, empty cells as NULL. FormatError names the line at fault."""
    import pyarrow as pa  # takes longer to import than most queries take to run

    rows = [_row(cells, f"{path.name} line {line}") for line, cells in read_rows(path, COLUMNS)]
    return pa.Table.from_pylist(rows, schema=PRINTED.schema)


def _row(text: dict[str, str], where: str) -> Row:
    """One checked row; `where` begins every error message."""
    for name in _NEVER_EMPTY:
        if not text[name]:
            raise FormatError(f"{where}: {name} is empty; fill it in")
    for name, allowed in {"document": sources(), **_ALLOWED}.items():
        if text[name] and text[name] not in allowed:
            raise FormatError(
                f"{where}: unknown {name} {text[name]!r}; use one of {', '.join(sorted(allowed))}"
            )
    for name in ("model_a", "model_b", "scope"):
        if text[name] and not _ALIAS.fullmatch(text[name]):
            raise FormatError(f"{where}: {name} {text[name]!r}; use lower-case letters, digits and _ only")

    numbers = {name: _number(text[name], f"{where}: {name}") for name in _NUMBERS}
    _check_figure(text["metric"], text["relation"], numbers, where)
    layers = {name: _layer(text[name], f"{where}: {name}") for name in _LAYERS}
    return {name: text[name] or None for name in COLUMNS} | numbers | layers


def _check_figure(metric: str, relation: str, numbers: dict[str, float | None], where: str) -> None:
    filled = {name for name in ("value", "low", "high") if numbers[name] is not None}
    if filled != RELATIONS[relation]:
        wanted = " and ".join(sorted(RELATIONS[relation]))
        raise FormatError(f"{where}: relation {relation} needs {wanted} and nothing else; fill just that")
    low, high, half_digit = numbers["low"], numbers["high"], numbers["half_digit"]
    if low is not None and high is not None and low > high:
        raise FormatError(f"{where}: low {low} is above high {high}; swap them")
    if half_digit is None or half_digit < 0 or (half_digit > 0) == (metric in EXACT_METRICS):
        rule = "0, as nothing is rounded" if metric in EXACT_METRICS else "half of the last printed digit"
        raise FormatError(f"{where}: half_digit {half_digit} for {metric}; write {rule}")


def _number(text: str, where: str) -> float | None:
    try:
        number = float(text) if text else None
    except ValueError:
        number = math.nan
    if number is not None and not math.isfinite(number):
        raise FormatError(f"{where} {text!r} is no number; write digits such as 0.9497 or 5e-4")
    return number


def _layer(text: str, where: str) -> int | None:
    if text and not re.fullmatch(r"[0-9]{1,4}", text):
        raise FormatError(f"{where} {text!r} is no layer; write its index, counted from 0")
    return int(text) if text else None
