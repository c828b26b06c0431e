"""What SQL makes of profiles is what the definitions say, and sees what it should."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import pytest

from analysis.lineage.slices.compare import SlicePair, compare_slices, unread
from analysis.lineage.slices.profiles import whitened
from analysis.lineage.slices.read import Slices
from tests.lineage.slices import made
from tests.lineage.slices.recomputed import statistics
from warehouse.catalog.definitions import read_query

SHARE, DISGUISE = "share weight history", "share weight history, in disguise"
NO_SIGN = "no sign of shared history in two layers"

BASE = made.model("base", 1)


def compared(connection: duckdb.DuckDBPyConnection, *pairs: SlicePair) -> list[dict[str, Any]]:
    return compare_slices(connection, pairs)


@pytest.mark.slow
@pytest.mark.parametrize(
    "other",
    [
        made.child("child", BASE, 2),
        made.disguised("disguised", BASE, 3),
        made.model("stranger", 4),
        made.model("larger", 5, neurons=60),
        made.model("wider", 6, width=72),
    ],
    ids=lambda slices: slices.model,
)
def test_sql_gives_what_numpy_gives_from_the_definitions(
    macros: duckdb.DuckDBPyConnection, other: Slices
) -> None:
    [row] = compared(macros, made.pair(BASE, other))
    expected = statistics(BASE, other, made.ANCHORS, made.READ)
    assert {name: row[name] for name in expected} == pytest.approx(expected, rel=1e-4, abs=1e-4)


@pytest.mark.slow
def test_who_is_named_first_changes_nothing_and_many_pairs_are_as_one(
    macros: duckdb.DuckDBPyConnection,
) -> None:
    others = [made.child("child", BASE, 2), made.model("larger", 5, neurons=60), made.model("stranger", 4)]
    together = compared(macros, *(made.pair(BASE, other) for other in others))
    alone = [compared(macros, made.pair(other, BASE))[0] for other in others]
    for one, other in zip(together, alone, strict=True):
        assert one == {
            name: pytest.approx(value, rel=1e-9) if isinstance(value, float) else value
            for name, value in other.items()
        }


@pytest.mark.slow
def test_a_child_is_found_exactly_and_a_disguised_one_by_the_share_alone(
    macros: duckdb.DuckDBPyConnection,
) -> None:
    child, disguised, stranger = compared(
        macros,
        made.pair(BASE, made.child("child", BASE, 2)),
        made.pair(BASE, made.disguised("disguised", made.child("child", BASE, 2), 3)),
        made.pair(BASE, made.model("stranger", 4)),
    )
    assert [row["verdict"] for row in (child, disguised, stranger)] == [SHARE, DISGUISE, NO_SIGN]
    assert child["z_order_folded"] > 20
    assert disguised["p"] > 1e-3
    assert disguised["share_folded"] > 0.9
    assert stranger["share"] < 0.1
    assert stranger["tests"] == 6


def test_norms_of_another_model_do_not_pass_for_shared_history(macros: duckdb.DuckDBPyConnection) -> None:
    """A forger puts another model's norms in and moves the difference into the matrices after them."""
    [row] = compared(macros, made.pair(BASE, made.forged("forged", made.model("stranger", 4), BASE)))
    assert row["verdict"] == NO_SIGN
    said = macros.execute("select lineage_answer(?, ?)", [SHARE, row["verdict"]]).fetchall()
    assert said == [("cannot tell: norms agree, the other weights do not: norms may have been replaced",)]


@pytest.mark.slow
@pytest.mark.parametrize("mixed", [0.3, 1.0])
def test_strangers_whose_gate_and_up_began_as_one_cannot_be_judged(
    macros: duckdb.DuckDBPyConnection, mixed: float
) -> None:
    """A reused random key: what gates match, ups match as well, and their signs are no coins."""
    both, one = compared(
        macros,
        made.pair(made.coupled("a", 1, mixed), made.coupled("b", 2, mixed)),
        made.pair(made.coupled("a", 1, mixed), made.model("stranger", 4)),
    )
    assert both["verdict"] == "cannot tell: gate and up of a and b are not independent"
    assert one["verdict"] == "cannot tell: gate and up of a are not independent"
    assert both["p"] is None


def test_a_disguise_is_seen_in_a_model_of_another_width_or_with_fewer_neurons(
    macros: duckdb.DuckDBPyConnection,
) -> None:
    kept = np.sort(np.random.default_rng(0).permutation(made.WIDTH)[:40])
    narrow = replace(
        BASE,
        model="narrow",
        tokens={anchor: row[kept] for anchor, row in BASE.tokens.items()},
        layers={
            n: replace(layer, gate=made.gate_of(layer)[:, kept], up=layer.up[:, kept], norm=layer.norm[kept])
            for n, layer in BASE.layers.items()
            if layer.norm is not None
        },
    )
    half = replace(made.first_neurons(made.disguised("half", BASE, 7), 20, cut=True), model="half")
    rows = compared(macros, made.pair(BASE, made.disguised("narrow", narrow, 3)), made.pair(BASE, half))
    assert [row["verdict"] for row in rows] == [DISGUISE, DISGUISE]
    assert rows[1]["share"] == 1


def test_replaced_embeddings_leave_what_needs_no_tokens(macros: duckdb.DuckDBPyConnection) -> None:
    fresh = replace(made.child("child", BASE, 2), tokens=made.model("stranger", 4).tokens)
    [row] = compared(macros, made.pair(BASE, fresh))
    assert row["verdict"] == SHARE
    assert row["decided_by"].startswith("z_tokenless")
    assert abs(row["z_order_folded"]) < 4


def test_without_enough_tokens_only_what_needs_none_is_asked(macros: duckdb.DuckDBPyConnection) -> None:
    child, stranger = compared(
        macros,
        made.pair(BASE, made.child("child", BASE, 2), tokens=100),
        made.pair(BASE, made.model("stranger", 4), tokens=100),
    )
    assert child["verdict"] == SHARE
    assert stranger["verdict"] == "cannot tell: too few shared tokens (100 of 128)"
    assert (stranger["tests"], stranger["share"]) == (2, None)


@pytest.mark.slow
def test_without_gates_order_still_tells_but_no_disguise_is_seen(macros: duckdb.DuckDBPyConnection) -> None:
    base = made.with_layers(BASE, gate=None)
    child, disguised, gated = compared(
        macros,
        made.pair(base, made.with_layers(made.child("child", BASE, 2), gate=None)),
        made.pair(base, made.with_layers(made.disguised("disguised", BASE, 3), gate=None)),
        made.pair(base, made.model("gated", 4)),
    )
    assert child["verdict"] == SHARE
    assert disguised["verdict"] == "cannot tell: without gates a disguise cannot be seen"
    assert gated["verdict"] == "cannot tell: only the MLPs of gated have a gate"


@pytest.mark.slow
def test_where_depths_differ_every_two_layers_are_asked_and_pay_for_it(
    macros: duckdb.DuckDBPyConnection,
) -> None:
    child = made.disguised("child", BASE, 3)
    deeper = replace(child, depth=8, layers={1: child.layers[4], 4: child.layers[1]})
    stranger = made.model("stranger", 4, depth=8)
    found, silent = compared(macros, made.pair(BASE, deeper), made.pair(BASE, stranger))
    assert found["verdict"] == DISGUISE
    assert silent["verdict"] == (
        "cannot tell: depths differ (6 and 8), so layers 1, 4 of base "
        "need layers 2, 3, 5, 6 of stranger: run `just ingest --slice-layers 2,3,5,6`"
    )
    assert silent["tests"] == 6 * 4


def test_a_layer_may_stand_further_on_in_a_deeper_model(macros: duckdb.DuckDBPyConnection) -> None:
    stranger = made.model("stranger", 4, depth=8)
    more = replace(stranger, layers=dict.fromkeys(range(1, 7), stranger.layers[1]))
    assert unread(BASE, stranger) == [2, 3, 5, 6]
    assert unread(stranger, BASE) == [0, 2, 3]
    assert unread(BASE, more) == []
    [row] = compared(macros, made.pair(BASE, more))
    assert row["verdict"] == NO_SIGN
    assert row["tests"] == 6 * 2 * 6


@pytest.mark.slow
def test_of_few_neurons_read_the_share_is_not_judged(macros: duckdb.DuckDBPyConnection) -> None:
    few = made.first_neurons(BASE, 10, cut=False)
    stranger = made.first_neurons(made.model("stranger", 4), 10, cut=False)
    [row] = compared(macros, made.pair(few, stranger))
    assert row["verdict"] == (
        "cannot tell: too few neurons read (25 % of the model of which more were; --slice-budget reads more)"
    )
    [row] = compared(macros, made.pair(few, made.disguised("whole", BASE, 3)))
    assert row["verdict"] == DISGUISE
    assert row["share"] == 1


@pytest.mark.slow
def test_of_many_neurons_a_sample_of_one_model_is_compared_with_all_of_the_other(
    macros: duckdb.DuckDBPyConnection,
) -> None:
    base = made.model("base", 1, neurons=300)
    rows = compared(
        macros,
        made.pair(base, made.disguised("disguised", base, 3)),
        made.pair(base, made.model("s", 4, neurons=320)),
    )
    assert [row["verdict"] for row in rows] == [DISGUISE, NO_SIGN]
    assert rows[0]["share"] == 1
    assert macros.sql("select sampled_neurons from lineage_thresholds()").fetchall() == [(256,)]


def test_a_dense_model_is_held_against_one_of_the_experts_it_may_have_become(
    macros: duckdb.DuckDBPyConnection,
) -> None:
    child = made.child("experts", BASE, 2)
    other = made.model("other", 9)
    layers = {
        n: replace(
            layer,
            neurons=tuple((str(expert), row) for expert in (0, 1) for row in range(made.NEURONS)),
            gate=np.concatenate([made.gate_of(layer), made.gate_of(other.layers[n])]),
            up=np.concatenate([layer.up, other.layers[n].up]),
            of=2 * made.NEURONS,
        )
        for n, layer in child.layers.items()
    }
    [row] = compared(macros, made.pair(BASE, replace(child, layers=layers)))
    assert row["verdict"] == SHARE
    assert row["z_order_folded"] > 20
    assert row["share"] > 0.9


def test_weights_that_are_zero_or_not_finite_agree_with_nothing(macros: duckdb.DuckDBPyConnection) -> None:
    broken = made.child("broken", BASE, 2)
    made.gate_of(broken.layers[1])[:3] = 0
    broken.layers[4].up[:3] = np.nan
    [row] = compared(macros, made.pair(BASE, broken))
    assert row["verdict"] == SHARE
    assert 0.8 < row["share"] < 1


@pytest.mark.slow
@pytest.mark.parametrize(("tokens", "width"), [(200, 48), (48, 200)])
def test_whitened_rows_have_all_their_directions_at_one_length(tokens: int, width: int) -> None:
    rows = made.normal(np.random.default_rng(0), tokens, width) @ np.diag(np.logspace(0, 2, width))
    sizes = np.linalg.svd(whitened(rows.astype(np.float32)), compute_uv=False)
    kept = min(tokens - 1, width)
    assert sizes[:kept] == pytest.approx(1, abs=1e-3)
    assert sizes[kept:] == pytest.approx(0, abs=1e-3)


def test_a_query_of_slices_says_what_a_row_is() -> None:
    for name in ("partners", "in_order", "matched", "without_tokens", "slice_pairs"):
        assert read_query(f"slices/{name}").startswith("-- one row per ")
