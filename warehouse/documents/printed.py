"""Reads `printed.csv`, the figures that the documents print, and checks every row: the table `printed`.

One row is one printed figure: which document and section prints it, the claim (`item`) it belongs to, what it
is about, and the figure as printed. Two rows are about the same quantity when model_a, layer_a, model_b,
layer_b, ln_type, metric, scope and aggregate agree; then their intervals must overlap or the documents
contradict each other. Symmetric metrics name the models in one order (solar, glm, intellect, phi, mixtral, …)
and the lower layer of one model first; rel_l2 names its base first.

`scope` says what the figure is over when it is not one vector or one pair of layers (`overall`: the document
does not say which layers), `aggregate` how it sums them up (`each`: it holds for every member of the scope).
`half_digit` is half of the last printed digit: the figure stands for value ± half_digit, or for
low − half_digit to high + half_digit; an inequality is bounded by low or high alone. Percentages are stored
as fractions, and a power of ten that a unit stands for (100B, 8KB) as an exponent. A number format is the
bits of its fraction, 10 for FP16 and 7 for BF16, so that one may contradict the other. Where the document
writes something else than the number, `note` begins with it: "printed 90%", "printed FP16".
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from pathlib import Path

import pyarrow as pa

from warehouse.documents.documents import read_rows, sources
from warehouse.errors import FormatError
from warehouse.tables import TABLES

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
