"""What others published from the released weights stands beside the items it is about; no verdict changes."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa
import pytest

from warehouse.catalog.connections import connect
from warehouse.catalog.definitions import read_query
from warehouse.documents.documents import sources
from warehouse.documents.printed import SCHEMA

SAID: dict[str, Any] = {
    **dict.fromkeys(SCHEMA.names),
    "document": "sionic_ko",
    "section": "1",
    "item": "said",
    "model_a": "solar",
    "model_b": "glm",
    "ln_type": "input_layernorm",
    "metric": "cosine",
    "relation": "=",
    "half_digit": 0.005,
}
MEASURED: dict[str, Any] = {
    **SAID,
    "document": "sanity_outputs",
    "section": "file.csv",
    "item": "measured.one",
    "half_digit": 0.0000005,
}
AT_10 = {"layer_a": 10, "layer_b": 10}


def told(*rows: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Item, source, value and agreement, from these printed rows alone."""
    with connect() as connection:
        connection.register("printed", pa.Table.from_pylist(list(rows), schema=SCHEMA))
        kinds = [{"key": key, "kind": source.kind} for key, source in sources().items()]
        connection.register("documents", pa.Table.from_pylist(kinds))
        for view in ("printed_intervals", "measured_elsewhere"):
            connection.execute(f"create view {view} as {read_query(f'views/{view}')}")
        query = "select item, source, measured, agrees from measured_elsewhere"
        return [(*row[:2], round(row[2], 6), row[3]) for row in connection.execute(query).fetchall()]


@pytest.mark.parametrize(
    ("value", "relation", "measured", "agrees"),
    [
        (0.98, "=", 0.981094, True),
        (0.98, "=", 0.985, True),
        (0.98, "=", 0.9863, False),
        (0.98, "≈", 0.9863, True),
        (0.98, "≈", 0.9911, False),
    ],
)
def test_a_measurement_agrees_within_the_printed_digits_or_one_more_when_about_so_much(
    value: float, relation: str, measured: float, agrees: bool
) -> None:
    said = SAID | AT_10 | {"value": value, "relation": relation}
    assert told(said, MEASURED | AT_10 | {"value": measured}) == [
        ("said", "sanity_outputs", measured, agrees)
    ]


def test_only_the_same_quantity_counts() -> None:
    said = SAID | AT_10 | {"value": 0.98}
    for other in (
        {"layer_a": 11, "layer_b": 11},
        {"ln_type": "post_attention_layernorm"},
        {"metric": "pearson"},
        {"model_b": "phi"},
    ):
        assert told(said, MEASURED | AT_10 | {"value": 0.98} | other) == []


def test_a_figure_without_layers_is_held_against_the_mean_over_the_shared_ones() -> None:
    said = SAID | {"value": 0.95, "scope": "overall"}
    mean = MEASURED | {"value": 0.948743, "scope": "matched_layers", "aggregate": "mean"}
    assert told(said, mean, MEASURED | AT_10 | {"value": 0.98}) == [
        ("said", "sanity_outputs", 0.948743, True)
    ]


def test_of_what_is_said_of_each_layer_the_lowest_and_the_highest_are_shown() -> None:
    said = SAID | {
        "relation": "range",
        "low": 0.94,
        "high": 0.99,
        "scope": "matched_layers",
        "aggregate": "each",
    }
    layers = [
        MEASURED | {"layer_a": layer, "layer_b": layer, "value": value}
        for layer, value in ((0, 0.127247), (10, 0.981094), (20, 0.991792))
    ]
    assert told(said, *layers) == [
        ("said", "sanity_outputs", 0.127247, False),
        ("said", "sanity_outputs", 0.991792, True),
    ]


def test_the_published_files_agree_with_each_other(printed_catalog: duckdb.DuckDBPyConnection) -> None:
    query = """
        select distinct source, round(measured, 5), agrees
        from measured_elsewhere where item = 'critique.exp3.cosine.solar_glm' order by source
    """
    assert printed_catalog.execute(query).fetchall() == [
        ("hyunwoong_outputs", 0.98110, True),
        ("origin", 0.98109, True),
        ("sanity_outputs", 0.98109, True),
    ]
