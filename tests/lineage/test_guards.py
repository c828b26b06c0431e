"""Innocent oddities are not taken for shared weight history, and relatives among them are still found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import duckdb
import numpy as np
import pytest

from tests.lineage.odd_models import RECIPES, START, as_model, fine_tuned, odd_models
from tests.lineage.recomputed import part_statistics
from tests.sql.lakes import write_lake
from warehouse.catalog.catalog import open_catalog

COUNT = 6
# What each recipe adds up to in the largest of a few unrelated pairs, if nothing guards against it.
MISLEADS = {"interleaved": 5.0, "every_fourth": 5.0, "padded": 5.0, "tied": 5.0}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    models = {name: model for recipe in RECIPES for name, model in odd_models(recipe, COUNT, 1).items()}
    models |= odd_models("one_seed_other_order", COUNT, 1)
    for number in range(3):
        noise = np.random.default_rng(number).normal(0, 0.05, START.shape)
        models[f"one_start_{number}"] = as_model(1 + 0.05 * START + noise)
    models |= {f"{name}_child": fine_tuned(models[name], 5) for name in ("interleaved_0", "padded_0")}
    with open_catalog(write_lake(tmp_path_factory.mktemp("lakes") / "odd", models)) as connection:
        yield connection


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES)
def test_no_two_strangers_of_one_recipe_share_weight_history(
    odd: duckdb.DuckDBPyConnection, recipe: str
) -> None:
    names = [f"{recipe}_{number}" for number in range(COUNT)]
    said = odd.execute("select verdict, p from lineage_pairs(among := $names)", {"names": names}).fetchall()
    assert len(said) == COUNT * (COUNT - 1) // 2
    assert not [verdict for verdict, _ in said if verdict == "share weight history"]
    assert all(p is None or p > 1e-7 for _, p in said), "what a search reports as chance"


@pytest.mark.slow
@pytest.mark.parametrize(("recipe", "z"), MISLEADS.items())
def test_without_a_guard_some_of_them_would(recipe: str, z: float) -> None:
    models = list(odd_models(recipe, 12, 1).values())
    found = [part_statistics(one, other, "weights", detrend=False) for one, other in combinations(models, 2)]
    assert max(row["z_eff"] for row in found if row) >= z


@pytest.mark.slow
def test_the_reason_is_said(odd: duckdb.DuckDBPyConnection) -> None:
    reasons = {
        (
            "every_fourth_0",
            "every_fourth_1",
        ): "the dimensions of every_fourth_0 and every_fourth_1 have a fixed",
        ("cloned_0", "cloned_1"): "the dimensions of cloned_0 and cloned_1 have a fixed order",
        ("copied_0", "copied_1"): "in both models dimensions repeat others (96 and 96 of 96)",
        ("padded_0", "padded_1"): "in both models dimensions repeat others (14 and 14 of 96)",
    }
    for pair, reason in reasons.items():
        named = dict(zip("ab", pair, strict=True))
        [(verdict,)] = odd.execute("select verdict from lineage($a, $b)", named).fetchall()
        assert verdict.startswith(f"cannot tell: {reason}")


@pytest.mark.slow
def test_nearest_says_the_same(odd: duckdb.DuckDBPyConnection) -> None:
    for model in ("tied_0", "padded_1", "every_fourth_2"):
        rows = odd.execute("select model, verdict, by_chance from nearest($m)", {"m": model}).fetchall()
        relatives = {name for name, verdict, _ in rows if verdict == "share weight history"}
        assert relatives == set()
        assert all(chance is None or chance > 1e-6 for name, _, chance in rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["interleaved_0", "padded_0"])
def test_a_child_is_found_in_spite_of_the_oddity(odd: duckdb.DuckDBPyConnection, name: str) -> None:
    [(verdict, statistic)] = odd.execute(
        "select verdict, statistic_used from lineage($a, $b)", {"a": name, "b": f"{name}_child"}
    ).fetchall()
    assert verdict == "share weight history"
    assert ("detrended" if name.startswith("interleaved") else "repeated dimensions") in statistic


@pytest.mark.slow
def test_a_common_random_start_is_shared_weight_history_and_a_common_seed_is_not(
    odd: duckdb.DuckDBPyConnection,
) -> None:
    """Both began from the same values. A program that draws other tensors first shares none of them."""
    for recipe, count, share in (("one_start", 3, True), ("one_seed_other_order", COUNT, False)):
        names = [f"{recipe}_{number}" for number in range(count)]
        rows = odd.execute("select verdict from lineage_pairs(among := $names)", {"names": names}).fetchall()
        assert len(rows) == count * (count - 1) // 2
        assert {verdict == "share weight history" for (verdict,) in rows} == {share}


@pytest.mark.slow
def test_ordinary_models_have_no_such_order(tmp_path_factory: pytest.TempPathFactory) -> None:
    random = np.random.default_rng(3)
    models = {f"m{n}": as_model(1 + 0.1 * random.normal(0, 1, (13, 128))) for n in range(20)}
    with open_catalog(write_lake(tmp_path_factory.mktemp("lakes") / "ordinary", models)) as connection:
        rows = connection.sql(
            "select ordered, repeated_a + repeated_b from lineage_pairs_to_test()"
        ).fetchall()
    assert rows == [("", 0)] * 190
