"""The table macros return what their comments promise, on the tiny lake."""

from __future__ import annotations

import re

import duckdb
import numpy as np
import pytest

from tests.sql.conftest import rows
from tests.sql.expected import assert_agrees, element_metrics, pair_metrics
from tests.sql.lakes import FINAL, INPUT, POST, tiny_models
from warehouse.catalog.definitions import definitions

MODELS = tiny_models()


def test_compare_has_one_row_per_shared_layer_and_type_with_every_metric(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    found = rows(catalog, "from compare('noisy', 'short')")
    keys = [(row["ln_type"], row["layer"]) for row in found]
    assert keys == sorted((kind, layer) for layer, kind in MODELS["short"])
    for row in found:
        x, y = (MODELS[model][row["layer"], row["ln_type"]] for model in ("noisy", "short"))
        assert_agrees(row, pair_metrics(x, y) | element_metrics(x, y), 1e-12, row["layer"])


def test_layer_grid_is_every_layer_against_every_layer(catalog: duckdb.DuckDBPyConnection) -> None:
    found = rows(catalog, f"from layer_grid('base', 'short', '{INPUT}')")
    assert [(row["layer_a"], row["layer_b"]) for row in found] == [
        (i, j) for i in range(4) for j in (0, 2, 3)
    ]
    for row in found:
        x, y = MODELS["base"][row["layer_a"], INPUT], MODELS["short"][row["layer_b"], INPUT]
        assert_agrees(row, pair_metrics(x, y), 1e-12, (row["layer_a"], row["layer_b"]))


def test_summary_sets_matched_against_mismatched_layers(catalog: duckdb.DuckDBPyConnection) -> None:
    found = {row["ln_type"]: row for row in rows(catalog, "from summary('base', 'noisy')")}
    assert found.keys() == {INPUT, POST, FINAL}
    pairs = [
        [pair_metrics(MODELS["base"][i, POST], MODELS["noisy"][j, POST]) for j in range(4)] for i in range(4)
    ]

    def grid(metric: str) -> np.ndarray:
        return np.array([[pair[metric] for pair in line] for line in pairs], float)

    expected: dict[str, float | None] = {
        "matched_layers": 4,
        "mismatched_pairs": 12,
        "best_layer": int(np.diag(grid("cosine")).argmax()),
        **{
            f"{name}_mean": np.diag(grid(name)).mean() for name in ("offset_share", "pattern_share", "rel_l2")
        },
    }
    for name in ("cosine", "pearson"):
        matched, others = np.diag(grid(name)), grid(name)[~np.eye(4, dtype=bool)]
        expected |= {
            f"{name}_mean": matched.mean(),
            f"{name}_std": matched.std(),
            f"{name}_min": matched.min(),
            f"{name}_max": matched.max(),
            f"{name}_mismatched_mean": others.mean(),
            f"{name}_mismatched_std": others.std(),
            f"{name}_contrast": matched.mean() - others.mean(),
        }
    assert_agrees(found[POST], expected, 1e-12, POST)


def test_similarity_matrix_is_a_matrix_of_the_chosen_models_at_one_layer(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    chosen = ["base", "noisy", "independent"]
    found = rows(catalog, f"from similarity_matrix(2, among := {chosen})")
    assert [(row["ln_type"], row["model_a"], row["model_b"]) for row in found] == [
        (kind, a, b) for kind in (INPUT, POST) for a in sorted(chosen) for b in sorted(chosen)
    ]
    for row in found:
        x, y = (MODELS[row[side]][2, row["ln_type"]] for side in ("model_a", "model_b"))
        assert_agrees(row, pair_metrics(x, y) | element_metrics(x, y), 1e-12, row["ln_type"])
    everybody = {row["model_a"] for row in rows(catalog, "from similarity_matrix(2)")}
    assert everybody == {model for model in MODELS if (2, INPUT) in MODELS[model]}


def test_similarity_matrix_mixed_takes_each_model_at_a_layer_of_its_own(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    found = rows(
        catalog,
        "from similarity_matrix_mixed([{'model': 'base', 'layer': 1}, {'model': 'noisy', 'layer': 3}])",
    )
    points = [("base", 1), ("noisy", 3)]
    assert [
        (row["ln_type"], row["model_a"], row["layer_a"], row["model_b"], row["layer_b"]) for row in found
    ] == [(kind, *a, *b) for kind in (INPUT, POST) for a in points for b in points]
    for row in found:
        x = MODELS[row["model_a"]][row["layer_a"], row["ln_type"]]
        y = MODELS[row["model_b"]][row["layer_b"], row["ln_type"]]
        assert_agrees(row, pair_metrics(x, y) | element_metrics(x, y), 1e-12, row["ln_type"])


def test_within_is_a_matrix_of_the_chosen_layers(catalog: duckdb.DuckDBPyConnection) -> None:
    found = rows(catalog, f"from within('base', [0, 3]) where ln_type = '{INPUT}'")
    assert [(row["layer_a"], row["layer_b"]) for row in found] == [(0, 0), (0, 3), (3, 0), (3, 3)]
    x, y = MODELS["base"][0, INPUT], MODELS["base"][3, INPUT]
    assert_agrees(found[1], pair_metrics(x, y) | element_metrics(x, y), 1e-12, "0 against 3")


def test_drift_counts_what_moved_also_in_bf16_steps(catalog: duckdb.DuckDBPyConnection) -> None:
    found = rows(catalog, "from drift('base', 'noisy')")
    assert {(row["layer"], row["ln_type"]) for row in found} == MODELS["base"].keys()
    for row in found:
        x, y = (MODELS[model][row["layer"], row["ln_type"]].astype(float) for model in ("base", "noisy"))
        # 8 bits of significand: neighbours of 1 ≤ x < 2 are 2⁻⁷ apart
        step = 2.0 ** (np.floor(np.log2(abs(x))) - 7)
        steps = (abs(y - x) / step)[x != y]
        expected = {
            "changed_ratio": (x != y).mean(),
            "mean_abs_diff": abs(x - y).mean(),
            "max_abs_diff": abs(x - y).max(),
            "mean_bf16_steps": steps.mean(),
            "max_bf16_steps": steps.max(),
        }
        assert_agrees(row, expected, 1e-12, row["layer"])
    assert {row["mean_bf16_steps"] for row in rows(catalog, "from drift('base', 'copy')")} == {None}


@pytest.mark.slow
def test_nearest_ranks_the_copy_before_the_noisy_copy_before_the_rest(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    found = [row for row in rows(catalog, "from nearest('base')") if row["rank"] is not None]
    assert [row["rank"] for row in found] == list(range(1, len(found) + 1))
    assert [row["model"] for row in found][:2] == ["copy", "noisy"]
    assert {row["model"] for row in found} == {"copy", "noisy", "independent", "short", "broken"}
    evidence = [row["z_eff"] for row in found]
    assert evidence == sorted(evidence, reverse=True)
    pearson = [
        row["pearson"]
        for row in rows(catalog, "from compare('base', 'noisy')")
        if row["ln_type"] in (INPUT, POST, FINAL)
    ]
    assert found[1]["pearson_mean"] == pytest.approx(np.mean(pearson))


def test_models_that_cannot_be_compared_come_last_without_a_rank_and_say_why(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    found = rows(catalog, "from nearest('base')")
    last = {row["model"]: row["verdict"] for row in found[-3:]}
    assert [row["rank"] for row in found[-3:]] == [None, None, None]
    assert last["wide"] == "cannot tell: widths differ (64 and 96)"
    assert last["constant"].startswith("cannot tell: constant in constant")
    assert last["zero"].startswith("cannot tell: constant in zero")


@pytest.mark.slow
def test_random_baseline_agrees_with_its_closed_form_and_repeats_itself(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    query = "from random_baseline(256, 1.0, 0.3, 1500)"
    found = rows(catalog, query)
    assert [row["metric"] for row in found] == ["cosine", "l2_distance", "pearson"]
    for row in found:
        error = row["expected_std"] / np.sqrt(row["trials"])
        assert row["simulated_mean"] == pytest.approx(row["expected_mean"], abs=5 * error), row
        assert row["simulated_std"] == pytest.approx(row["expected_std"], rel=0.1), row
    again = rows(catalog, query)
    for one, other in zip(found, again, strict=True):
        assert one["simulated_mean"] == pytest.approx(other["simulated_mean"], rel=1e-12)


def test_bf16_step_is_the_distance_to_the_next_number(catalog: duckdb.DuckDBPyConnection) -> None:
    for value in (1.0, 1.9921875, 2.0, -0.3, 3e38, 1.2e-38, 1e-40):
        bits = np.array(abs(value), np.float32).view(np.uint32) >> 16 << 16
        here, following = (
            np.array(b, np.uint32).view(np.float32).astype(float) for b in (bits, bits + 65536)
        )
        [(step,)] = catalog.sql(f"select bf16_step({value!r}::float)").fetchall()
        assert step == following - here, value
    assert catalog.sql("select bf16_step(0)").fetchall() == [(2.0**-133,)]


@pytest.mark.slow
def test_every_macro_has_an_example_that_runs(catalog: duckdb.DuckDBPyConnection) -> None:
    names = {"solar": "base", "glm": "noisy", "intellect": "copy", "phi": "independent"}
    for definition in definitions():
        if definition.kind == "view":
            continue
        [example] = re.findall(r"^example: (.+)$", definition.description, re.MULTILINE)
        for real, stand_in in names.items():
            example = example.replace(f"'{real}'", f"'{stand_in}'")
        example = re.sub(r"\b(10|20|30)\b", lambda found: str(int(found[0]) // 10), example)
        query = example.replace("4096", "64")
        assert rows(catalog, query), example
