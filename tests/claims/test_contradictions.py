"""Every two statements whose figures cannot both be true are found, and each disagreement is one row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain, combinations, groupby
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import SQL
from warehouse.documents import PRINTED, documents, read_printed, sources
from warehouse.lake import Lake

QUANTITY = ("model_a", "layer_a", "model_b", "layer_b", "ln_type", "metric", "scope", "aggregate")
VIEWS = [SQL / "views" / f"{name}.sql" for name in ("printed_intervals", "_contradicting_pairs")]
Row = dict[str, Any]

BASE: Row = {
    "document": "hyunwoong",
    "section": "1",
    "model_a": "solar",
    "layer_a": 10,
    "model_b": "glm",
    "layer_b": 10,
    "ln_type": "input_layernorm",
    "metric": "cosine",
    "relation": "=",
    "value": 0.95,
    "half_digit": 0.005,
}


@pytest.fixture(scope="module")
def catalog(printed_lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(printed_lake) as connection:
        yield connection


def found(*rows: Row) -> list[tuple[Any, ...]]:
    """kind, strength and gap of the contradictions among these printed rows, each of an item of its own."""
    printed = [{**BASE, "item": f"item_{n}", **row} for n, row in enumerate(rows)]
    with duckdb.connect() as connection:
        connection.register("printed", pa.Table.from_pylist(printed, schema=PRINTED.schema))
        connection.register("documents", pa.Table.from_pylist([asdict(one) for one in sources().values()]))
        for path in VIEWS:
            connection.execute(f"create view {path.stem} as {path.read_text(encoding='utf-8')}")
        return connection.execute("select kind, strength, gap from _contradicting_pairs").fetchall()


def quantity(row: Row) -> str:
    return repr([row[name] for name in QUANTITY])


def interval(row: Row) -> tuple[float, float]:
    """What a figure can stand for: rounded, cut off, or a whole digit off if it is approximate."""
    low, high, half = row["low"], row["high"], row["half_digit"]
    about = half if row["relation"] in ("≈", "approx_range") else 0
    if row["value"] is not None:
        low = high = row["value"]
    bottom = -math.inf if low is None else low - (0 if high is None else half)
    top = math.inf if high is None else high + (0 if low is None else half)
    cut_below, cut_above = (half if not about and is_cut else 0 for is_cut in (top < 0, bottom > 0))
    return bottom - about - cut_below, top + about + cut_above


@pytest.mark.slow
def test_the_same_quantity_is_found_as_by_comparing_every_pair(catalog: duckdb.DuckDBPyConnection) -> None:
    rows = [row for row in read_printed().to_pylist() if row["document"] in documents()]
    rows = [row for row in rows if not row["section"].endswith("(image)")]
    for row in rows:
        row["metric"] = row["metric"].replace("centered_cosine", "pearson")
    expected = set()
    layers = {
        (documents()[row["document"]].group, row["model_a"], row["model_b"]): row["value"]
        for row in rows
        if row["scope"] == "compared_layers" and row["model_b"]
    }
    rows.sort(key=quantity)
    pairs_of_one = (combinations(list(of_one), 2) for _, of_one in groupby(rows, quantity))
    for a, b in chain.from_iterable(pairs_of_one):
        groups = {documents()[row["document"]].group for row in (a, b)}
        over = {layers.get((group, a["model_a"], a["model_b"])) for group in groups} - {None}
        if (len(over) > 1 and a["aggregate"] in ("mean", "std")) or (
            len(groups) > 1 and a["scope"] == "compared_layers"
        ):
            continue
        (low_a, high_a), (low_b, high_b) = interval(a), interval(b)
        if low_a - high_b > 1e-12 or low_b - high_a > 1e-12:
            expected.add(tuple(sorted([a["item"], b["item"]])))
    query = "select first_item, second_item from _contradicting_pairs where kind = 'same quantity'"
    pairs = [tuple(sorted(pair)) for pair in catalog.execute(query).fetchall()]
    assert sorted(pairs) == sorted(expected)


def test_two_statements_disagree_once_however_often_they_are_printed(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    query = (
        "select least(first_item, second_item), greatest(first_item, second_item) from _contradicting_pairs"
    )
    pairs = catalog.execute(query).fetchall()
    assert len(pairs) == len(set(pairs)) > 20
    korean, english = {"document": "sionic_ko"}, {"document": "sionic_en"}
    twice = [{"item": "a", **korean}, {"item": "a", **english}]
    other = [{"item": "b", "value": 0.99, **korean}, {"item": "b", "value": 0.99, **english}]
    assert len(found(*twice, *other)) == 1


def test_measurements_are_no_party() -> None:
    assert found({}, {"value": 0.5, "document": "origin"}) == []
    assert len(found({}, {"value": 0.5, "document": "critique_results"})) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("sionic.d2_1.cosine.layer10", "critique.exp3.cosine.solar_glm"),
        ("sionic.d2_1.pearson.layer10", "critique.exp6_2.pearson.solar_glm"),
    ],
)
def test_known_contradictions_are_strict(catalog: duckdb.DuckDBPyConnection, first: str, second: str) -> None:
    query = "select distinct strength from _contradicting_pairs where [first_item, second_item] in (?, ?)"
    assert catalog.execute(query, [[first, second], [second, first]]).fetchall() == [("strict",)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("sionic.fig8.mean.solar", "sionic.conclusion.all_llms_near_1"),
        ("critique.exp2.glm.average", "critique.readme.expected_fair_0_98"),
        ("sionic.fig2a.cosine_level", "critique.exp3.cosine.solar_glm"),
        ("sionic.fig2a.cosine_level", "sionic.fig1a.cosine"),
        # which layers is not said
        ("sionic.s3.solar_glm_cosine_0_99", "sionic.conclusion.cosine.solar_glm"),
        # with or without the layer for multi-token prediction
        ("sionic.e1.layers.glm_47", "sionic.e1.layers.glm_46"),
        ("sionic.e1.layers.intellect_47", "sionic.fig3c.layer_count_46"),
        ("sionic.fig5.phi_heatmaps_47x32", "sionic.e1.layers.intellect_46"),
        # a word in passing
        ("sionic.fig3_1b.bytewise_bf16", "critique.readme.dtype_fp16"),
        ("sionic.conclusion.three_conclusions", "sionic.conclusion.three_conclusions"),
        # the README is older than RESULTS.md
        ("critique.models.moe_four", "critique.readme.five_moe_models"),
    ],
)
def test_what_leaves_room_is_soft(catalog: duckdb.DuckDBPyConnection, first: str, second: str) -> None:
    query = "select distinct strength from _contradicting_pairs where [first_item, second_item] in (?, ?)"
    assert catalog.execute(query, [[first, second], [second, first]]).fetchall() == [("soft",)]


def test_figures_are_shown_as_the_documents_write_them(catalog: duckdb.DuckDBPyConnection) -> None:
    query = """
        select first_item, first_figure from _contradicting_pairs
        union
        select second_item, second_figure from _contradicting_pairs
    """
    shown = dict(catalog.execute(query).fetchall())
    assert shown["critique.exp2.glm.average"] == "0.9979"
    assert shown["sionic.fig2a.cosine_level"] == "≈ 0.94 to 0.95"
    assert shown["sionic.fig2.shape_47x47"] == ">= 47"
    assert (shown["critique.readme.dtype_fp16"], shown["sionic.fig3_1b.bytewise_bf16"]) == (
        "FP16",
        "bfloat16",
    )


@pytest.mark.parametrize(
    "item",
    [
        "sionic.conclusion.any_pair_high_cosine",  # high, with no figure for any one pair
        "sionic.summary.prior_cosine_0_99",  # of four layers
        "critique.readme.bg.cross_0_989",  # likewise
        "hyunwoong.s1.within_cosine_0_99.glm",  # the level of 0.99, where 0.9982 may well be
        "hyunwoong.s1.post_layer0_ge_0_92.phi",  # less in an image only
        "hyunwoong.s1.many_models_low_layer0",  # words of degree
        "critique.readme.five_experiments",  # right when it was written
        "critique.exp6.mean_about_1",  # an aside about norm weights in general
    ],
)
def test_what_was_said_otherwise_contradicts_nothing(catalog: duckdb.DuckDBPyConnection, item: str) -> None:
    query = "from _contradicting_pairs where ? in (first_item, second_item)"
    assert catalog.execute(query, [item]).fetchall() == []


@pytest.mark.parametrize(
    ("item", "metric", "figure"),
    [
        ("sionic.fig3_1a.layers13_up_below_10", "changed_ratio", "< 10%"),
        ("sionic.fig3_1a.layers3_12_10_to_50", "changed_ratio", "10-50%"),
        ("critique.readme.model_100gb", "bytes", "≈ 100GB"),
        ("sionic.d2_2.offdiag_count_2162", "count", "2162"),  # its note says how it is counted
    ],
)
def test_a_figure_is_spelled_as_its_note_says(
    catalog: duckdb.DuckDBPyConnection, item: str, metric: str, figure: str
) -> None:
    query = "select distinct figure from printed_intervals where item = ? and metric = ?"
    assert catalog.execute(query, [item, metric]).fetchall() == [(figure,)]


def test_half_digits_that_touch_are_no_contradiction() -> None:
    assert found({}, {"value": 0.96}) == []
    [(kind, strength, gap)] = found({}, {"value": 0.98})
    assert (kind, strength, gap) == ("same quantity", "strict", pytest.approx(0.015))


def test_a_figure_may_be_cut_off_as_well_as_rounded() -> None:
    fine = {"half_digit": 0.00005}
    assert found({}, {"value": 0.9599, **fine}) == []
    assert len(found({}, {"value": 0.9445, **fine})) == 1
    assert found({"value": -0.95}, {"value": -0.9599, **fine}) == []


def test_an_inequality_binds_on_one_side_as_printed() -> None:
    bound = {"relation": ">=", "value": None, "low": 0.96}
    assert found({"value": 0.95}, bound) == []
    assert found({"value": 0.949}, bound) == [("same quantity", "strict", pytest.approx(0.001))]
    assert found({"value": 3}, bound) == []


def test_another_layer_norm_or_metric_is_another_quantity() -> None:
    others: list[Row] = [
        {"layer_b": 11},
        {"ln_type": None},
        {"metric": "rel_l2"},
        {"scope": "overall"},
        {"model_b": "phi"},
    ]
    assert found({}, *[{"value": 0.1, **other} for other in others]) == []


def test_pearson_and_centred_cosine_are_one_quantity() -> None:
    assert len(found({"metric": "pearson"}, {"metric": "centered_cosine", "value": 0.1})) == 1


EACH: Row = {
    "layer_a": None,
    "layer_b": None,
    "aggregate": "each",
    "relation": "range",
    "value": None,
    "low": 0.94,
    "high": 0.96,
}


@pytest.mark.parametrize(
    ("scope", "part", "count"),
    [
        ("matched_layers", {"value": 0.5}, 1),
        ("matched_layers", {"value": 0.5, "layer_b": 11}, 0),
        ("matched_layers", {"value": 0.5, "layer_a": None, "layer_b": None, "scope": "best_layer"}, 1),
        ("matched_layers", {"value": 0.5, "layer_a": None, "layer_b": None, "scope": "overall"}, 0),
        ("all_pairs", {"value": 0.5, "layer_b": 11}, 1),
        (
            "all_pairs",
            {
                "value": 0.5,
                "layer_a": None,
                "layer_b": None,
                "scope": "mismatched_pairs",
                "aggregate": "mean",
            },
            1,
        ),
        (
            "all_pairs",
            {"value": 0.001, "layer_a": None, "layer_b": None, "scope": "matched_layers", "aggregate": "std"},
            0,
        ),
        ("all_pairs", {"value": 0.5, "ln_type": "post_attention_layernorm"}, 0),
        ("all_pairs", {"value": 0.95}, 0),
        ("early_layers", {"value": 0.5}, 0),
    ],
)
def test_what_is_said_of_each_binds_its_members_and_nothing_else(scope: str, part: Row, count: int) -> None:
    assert [kind for kind, *_ in found({**EACH, "scope": scope}, part)] == ["part of a whole"] * count


def test_about_so_much_is_given_a_whole_digit() -> None:
    assert found({}, {"relation": "≈", "value": 0.964}) == []
    [(_, strength, gap)] = found({}, {"relation": "≈", "value": 0.971})
    assert (strength, gap) == ("soft", pytest.approx(0.006))


def test_about_so_much_for_each_is_given_a_whole_digit() -> None:
    about = {
        **EACH,
        "scope": "matched_layers",
        "relation": "≈",
        "value": 0.999,
        "low": None,
        "high": None,
        "half_digit": 0.0005,
    }
    assert found(about, {"value": 0.99997, "half_digit": 0.000005}) == []
    assert len(found(about, {"value": 0.9978, "half_digit": 0.00005})) == 1


def test_each_disagreement_is_one_row_with_all_its_places(catalog: duckdb.DuckDBPyConnection) -> None:
    rows = catalog.execute("select metric, pairs, places from contradictions").fetchall()
    assert 8 <= len(rows) <= 24
    [(pairs, places)] = [(pairs, places) for metric, pairs, places in rows if metric == "layer_count"]
    assert pairs == 9
    assert {"sionic (en) E.1: 46", "sionic (en) F.8: 47", "sionic (ko) E.1: 47"} <= set(places)
    [(total,)] = catalog.execute("select count(*) from _contradicting_pairs").fetchall()
    assert sum(pairs for _, pairs, _ in rows) == total
