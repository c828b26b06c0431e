"""What others measured on the released weights is shown beside the items; it changes no verdict."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa
import pytest

from warehouse.catalog.connections import connect
from warehouse.catalog.definitions import read_query
from warehouse.documents import PRINTED, sources

SAID: dict[str, Any] = {
    **dict.fromkeys(PRINTED.schema.names),
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
    "source": "sanity_outputs",
    "file": "file.csv",
    "commit": "b131c11",
    "model_a": "solar",
    "layer_a": 10,
    "model_b": "glm",
    "layer_b": 10,
    "ln_type": "input_layernorm",
    "metric": "cosine",
    "value": 0.98,
}
AT_10 = {"layer_a": 10, "layer_b": 10}
COMPARED = SAID | {"item": "layers", "ln_type": None, "metric": "layer_count", "scope": "compared_layers"}


def found(*said: dict[str, Any], measured: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Item, source, which layers, value and agreement, from these rows alone."""
    with connect() as connection:
        connection.register("printed", pa.Table.from_pylist(list(said), schema=PRINTED.schema))
        connection.register("measured", pa.Table.from_pylist(measured))
        listed = [
            {"key": key, "kind": source.kind, "repository": source.repository, "group": source.group}
            for key, source in sources().items()
        ]
        connection.register("documents", pa.Table.from_pylist(listed))
        for view in ("printed_intervals", "_measured_summaries", "measured_elsewhere"):
            connection.execute(f"create view {view} as {read_query(f'views/{view}')}")
        query = "select item, source, summary, measured, agrees from measured_elsewhere"
        return [(*row[:3], round(row[3], 6), row[4]) for row in connection.execute(query).fetchall()]


def layers(*values: float) -> list[dict[str, Any]]:
    """46 layers: these values first, then the last of them again and again."""
    padded = [*values, *[values[-1]] * (46 - len(values))]
    return [MEASURED | {"layer_a": n, "layer_b": n, "value": value} for n, value in enumerate(padded)]


@pytest.mark.parametrize(
    ("value", "relation", "measured", "agrees"),
    [
        (0.98, "=", 0.981094, True),
        (0.98, "=", 0.985, True),
        (0.98, "=", 0.9899, True),
        (0.98, "=", 0.9901, False),
        (0.98, "=", 0.9749, False),
        (-0.98, "=", -0.9899, True),
        (-0.98, "=", -0.9749, False),
        (0.98, "≈", 0.9863, True),
        (0.98, "≈", 0.9911, False),
    ],
)
def test_a_measurement_agrees_with_a_figure_rounded_or_cut_off_and_one_digit_more_when_about_so_much(
    value: float, relation: str, measured: float, agrees: bool
) -> None:
    said = SAID | AT_10 | {"value": value, "relation": relation}
    rows = [MEASURED | {"value": measured}]
    assert found(said, measured=rows) == [("said", "sanity_outputs", "one", measured, agrees)]


def test_only_the_same_quantity_counts() -> None:
    said = SAID | AT_10 | {"value": 0.98}
    for other in (
        {"layer_a": 11, "layer_b": 11},
        {"ln_type": "post_attention_layernorm"},
        {"metric": "pearson"},
        {"model_b": "phi"},
    ):
        assert found(said, measured=[MEASURED | other]) == []


def test_a_cosine_without_layers_may_be_the_mean_or_the_best_layer() -> None:
    rows = layers(0.99, 0.95)
    for value, expected in (
        (0.95, ("mean", 0.95087, True)),
        (0.99, ("highest", 0.99, True)),
        (0.5, ("mean", 0.95087, False)),
    ):
        said = SAID | {"value": value, "scope": "overall"}
        assert found(said, measured=rows) == [("said", "sanity_outputs", *expected)]


def test_a_correlation_without_layers_is_the_mean() -> None:
    rows = [row | {"metric": "pearson"} for row in layers(0.03, -0.002)]
    said = SAID | {"metric": "pearson", "value": 0.03, "scope": "overall"}
    assert found(said, measured=rows) == [("said", "sanity_outputs", "mean", -0.001304, False)]


def test_a_mean_over_other_layers_is_not_compared() -> None:
    """A mean over 47 layers cannot be compared with one over 46: the 47th can make up the difference."""
    said = SAID | {"value": 0.9497, "half_digit": 0.00005, "scope": "matched_layers", "aggregate": "mean"}
    rows = layers(0.127247, 0.967)
    assert [row[2:] for row in found(said, measured=rows)] == [("mean", 0.948744, False)]
    assert found(said, COMPARED | {"value": 47, "half_digit": 0}, measured=rows) == []
    assert len(found(said, COMPARED | {"value": 46, "half_digit": 0}, measured=rows)) == 1


def test_a_few_layers_are_not_a_mean_over_all() -> None:
    said = SAID | {"value": 0.95, "scope": "matched_layers", "aggregate": "mean"}
    assert found(said, measured=layers(0.95)[:3]) == []


def test_of_what_is_said_of_each_layer_the_lowest_and_the_highest_are_shown() -> None:
    said = SAID | {
        "relation": "range",
        "low": 0.94,
        "high": 0.99,
        "scope": "matched_layers",
        "aggregate": "each",
    }
    assert [row[2:] for row in found(said, measured=layers(0.127247, 0.991792, 0.98))] == [
        ("lowest", 0.127247, False),
        ("highest", 0.991792, True),
    ]


def test_a_tendency_is_compared_with_the_mean_and_not_with_extremes() -> None:
    said = SAID | {"relation": "≈", "value": 0.97, "scope": "matched_layers", "aggregate": "each"}
    assert [row[2:] for row in found(said, measured=layers(0.127247, 0.991792))] == [("mean", 0.972998, True)]


def test_the_length_of_a_vector_follows_from_its_mean_and_deviation() -> None:
    said = SAID | {"model_b": None, "layer_a": 0, "metric": "l2_norm", "value": 3.2}
    one = MEASURED | {"model_b": None, "layer_a": 0, "layer_b": None}
    rows = [one | {"metric": "mean", "value": 0.03}, one | {"metric": "std", "value": 0.04}]
    assert found(said, measured=rows) == [("said", "sanity_outputs", "one", 3.2, True)]


def test_the_published_files_agree_with_each_other(printed_catalog: duckdb.DuckDBPyConnection) -> None:
    query = """
        select distinct source, round(measured, 4), agrees, is_own
        from measured_elsewhere where item = 'critique.exp3.cosine.solar_glm' order by source
    """
    assert printed_catalog.execute(query).fetchall() == [
        ("hyunwoong_outputs", 0.9811, True, False),
        ("origin", 0.9811, True, False),
        ("sanity_outputs", 0.9811, True, False),
    ]


def test_what_a_party_measured_of_its_own_statement_is_marked(
    printed_catalog: duckdb.DuckDBPyConnection,
) -> None:
    query = "select distinct source, is_own from measured_elsewhere where item like '{}%' order by all"
    assert printed_catalog.execute(query.format("hyunwoong.s4_4.")).fetchall() == [
        ("hyunwoong_outputs", True),
        ("origin", False),
    ]
    assert printed_catalog.execute(query.format("sionic.fig1c.cosine_range")).fetchall() == [
        ("origin", True),
        ("sanity_outputs", False),
    ]
