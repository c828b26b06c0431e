"""The rows of every query, compared with numpy on the planted vectors."""

from __future__ import annotations

import csv
import io
import subprocess
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest

from analysis.figures.catalogue import FIGURES
from analysis.figures.draw import rows
from analysis.figures.figure import sql_text
from analysis.query import duckdb_program
from tests.claims.planted import INPUT, LAYERS, POST, vector
from tests.sql.lakes import random_model, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.places import catalog_file
from warehouse.lake import Lake

Tables = dict[str, pl.DataFrame]
SAMPLE = (
    "figure_00",
    "figure_03",
    "figure_06",
    "figure_10",
    "patterns",
    "predicted",
    "confusion",
    "layer_0",
    "toy",
)


@pytest.mark.parametrize("name", FIGURES)
def test_every_query_finds_rows_without_doubles(name: str, tables: Tables) -> None:
    assert tables[name].height > 0
    assert not tables[name].is_duplicated().any()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *SAMPLE,
        *("drift", "permutation_z", "calibration_real", "calibration_slices", "peers", "contradiction_map"),
    ],
)
def test_a_query_runs_alone_in_the_older_shell(name: str, lake: Lake, tables: Tables) -> None:
    command = [duckdb_program(), "-readonly", "-csv", "-no-init", str(catalog_file(lake))]
    run = subprocess.run(command, input=sql_text(FIGURES[name]), capture_output=True, text=True, check=True)
    found = list(csv.DictReader(io.StringIO(run.stdout)))
    assert list(found[0]) == tables[name].columns
    assert len(found) == tables[name].height


def test_a_figure_never_sees_the_variables_of_another(connection: duckdb.DuckDBPyConnection) -> None:
    rows(FIGURES["figure_03"], connection)
    plain = connection.sql(sql_text(FIGURES["figure_01"]).split(";\n")[-1]).pl()
    assert set(plain["model_a"]) == {"solar"}


def test_figure_1_samples_fifty_dimensions_by_quartiles_of_the_sum(tables: Tables) -> None:
    layer = tables["figure_01"].filter(layer=5)
    a, b = vector("solar", INPUT, 5), vector("glm", INPUT, 5)
    dims = layer["dim"].to_numpy()
    place = np.argsort(np.argsort(a + b, kind="stable"), kind="stable") // 16
    assert np.bincount(place[dims]).tolist() == [13, 13, 12, 12]
    assert layer["position"].to_list() == list(range(1, 51))
    np.testing.assert_array_equal(layer["value_a"], a[dims])
    np.testing.assert_allclose(layer["centered_b"], (b - b.mean())[dims], atol=1e-6)
    assert layer["cosine"][0] == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b), abs=1e-6)


def test_figure_1_marks_the_layer_of_the_highest_cosine(tables: Tables) -> None:
    found = tables["figure_01"]
    assert set(found.filter("is_best")["cosine"]) == {found["cosine"].max()}
    assert found.filter("is_best")["layer"].n_unique() == 1


def test_figure_7_is_the_principal_components_of_the_stacked_vectors(tables: Tables) -> None:
    found = tables["figure_07"]
    stacked = np.array(
        [vector(model, INPUT, layer) for model, layer in found.select("model", "layer").rows()]
    )
    _, values, axes = np.linalg.svd(stacked - stacked.mean(axis=0), full_matrices=False)
    expected = (stacked - stacked.mean(axis=0)) @ axes[:3].T
    np.testing.assert_allclose(np.abs(found.select("pc1", "pc2", "pc3")), np.abs(expected), atol=2e-5)
    assert found["share1"][0] == pytest.approx(values[0] ** 2 / (values**2).sum(), abs=1e-5)


def test_figure_9_counts_as_numpy_does_and_says_what_is_beyond(tables: Tables) -> None:
    ridge = tables["figure_09"].filter(model="glm", ln_type=POST, layer=9)
    values = vector("glm", POST, 9)
    bins = ridge.height
    assert bins >= 60
    counts, edges = np.histogram(values, bins=bins, range=(-0.2, -0.2 + bins * 2.2 / 60))
    np.testing.assert_allclose(ridge["bin"], edges[:-1], atol=1e-4)
    np.testing.assert_allclose(ridge["density"], counts / len(values) / (2.2 / 60), atol=1e-3)
    assert ridge["outside"][0] == pytest.approx(1 - counts.sum() / len(values), abs=1e-5)


def test_figure_9_goes_on_until_nearly_all_of_a_layer_is_drawn(tables: Tables) -> None:
    found = tables["figure_09"]
    assert found["bin"].max() == pytest.approx(6, abs=0.05)  # the axis of this lake, which goes far beyond
    for layer in range(0, LAYERS["glm"], 3):
        values = vector("glm", POST, layer)
        [outside] = found.filter(model="glm", ln_type=POST, layer=layer)["outside"].unique()
        assert outside == pytest.approx(np.mean((values < -0.2) | (values >= 5.996)), abs=1e-5)


def test_the_prediction_is_made_of_published_means_and_deviations_alone(
    connection: duckdb.DuckDBPyConnection, tables: Tables
) -> None:
    query = "select metric, model_a, value from measured where source = 'sanity_outputs' and layer_a = 3"
    rows = connection.sql(f"{query} and ln_type = '{INPUT}'").fetchall()
    published = {(metric, model): value for metric, model, value in rows}
    u = [
        published["mean", model] / np.hypot(published["mean", model], published["std", model])
        for model in ("solar", "glm")
    ]
    found = tables["measured"].filter(layer=3, ln_type=INPUT).row(0, named=True)
    assert found["predicted"] == pytest.approx(u[0] * u[1], abs=1e-6)
    assert found["cosine"] == pytest.approx(published["cosine", "solar"], abs=1e-6)
    assert found["commit"] == "b131c11"


def test_a_cosine_is_the_sum_of_its_two_parts(tables: Tables) -> None:
    sums = tables["decomposition"].group_by("panel", "layer").agg(pl.sum("share"), pl.first("cosine"))
    np.testing.assert_allclose(sums["share"], sums["cosine"], atol=2e-6)


def test_the_closed_form_of_the_shuffled_cosine_is_what_shuffling_gives(tables: Tables) -> None:
    found = tables["sanity"].filter(layer=7).row(0, named=True)
    a, b = vector("solar", INPUT, 7), vector("glm", INPUT, 7)
    draw = np.random.default_rng(0)
    cosines = [a @ draw.permutation(b) / np.linalg.norm(a) / np.linalg.norm(b) for _ in range(4000)]
    assert found["offset_share"] == pytest.approx(np.mean(cosines), abs=4 * np.std(cosines) / 4000**0.5)
    assert found["band_high"] - found["offset_share"] == pytest.approx(2 * np.std(cosines), rel=0.05)


def test_a_pattern_is_what_is_left_without_the_mean_at_the_disputed_pairs_best_layer(tables: Tables) -> None:
    found = tables["patterns"]
    pairs = {"related": ("glm", "intellect"), "disputed": ("solar", "glm")}
    shared = range(min(LAYERS[model] for pair in pairs.values() for model in pair))
    cosines = [_cosine(vector("solar", INPUT, n), vector("glm", INPUT, n)) for n in shared]
    [layer] = found["layer"].unique()
    assert layer == int(np.argmax(cosines))
    for kind, models in pairs.items():
        a, b = (vector(model, INPUT, layer) for model in models)
        some = found.filter(kind=kind)
        np.testing.assert_allclose(some["a"], a - a.mean(), atol=1e-5)
        np.testing.assert_allclose(some["b"], b - b.mean(), atol=1e-5)
        assert some["cosine"][0] == pytest.approx(_cosine(a, b), abs=1e-6)
        assert some["pearson"][0] == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-6)


def test_a_predicted_cosine_is_the_one_of_the_means_alone(tables: Tables) -> None:
    [pair] = tables["predicted"].filter("is_disputed").to_dicts()
    assert (pair["model_a"], pair["model_b"]) == ("glm", "solar")
    vectors = [(vector("glm", INPUT, n), vector("solar", INPUT, n)) for n in range(pair["layers"])]
    flat = [(np.full_like(a, a.mean()), np.full_like(b, b.mean())) for a, b in vectors]
    lengths = [np.linalg.norm(a) * np.linalg.norm(b) for a, b in vectors]
    expected = np.mean([a @ b / length for (a, b), length in zip(flat, lengths, strict=True)])
    assert pair["offset_share"] == pytest.approx(expected, abs=1e-6)
    assert pair["cosine"] == pytest.approx(np.mean([_cosine(a, b) for a, b in vectors]), abs=1e-6)


def _cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_the_permutation_z_of_a_pair_spans_its_layers(tables: Tables) -> None:
    found = tables["permutation_z"].filter(model_a="glm", model_b="solar", ln_type=POST).row(0, named=True)
    z = [np.corrcoef(vector("glm", POST, n), vector("solar", POST, n))[0, 1] * 63**0.5 for n in range(47)]
    assert (found["z_low"], found["z_mean"], found["z_high"]) == pytest.approx(
        (min(z), np.mean(z), max(z)), abs=1e-3
    )
    assert found["layers"] == LAYERS["glm"]
    assert found["ceiling"] == pytest.approx(63**0.5, abs=1e-3)


METRICS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "cosine": lambda a, b: float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)),
    "pearson": lambda a, b: float(np.corrcoef(a, b)[0, 1]),
    "mean_abs_diff": lambda a, b: float(np.abs(a - b).mean()),
    "p99_abs_diff": lambda a, b: float(abs(np.quantile(np.abs(a), 0.99) - np.quantile(np.abs(b), 0.99))),
    "rel_l2": lambda a, b: float(np.linalg.norm(a - b) / np.linalg.norm(a)),
    "cv_diff": lambda a, b: float(abs(a.std() / abs(a.mean()) - b.std() / abs(b.mean()))),
}


@pytest.mark.parametrize("metric", METRICS)
def test_a_confusion_matrix_shows_its_metric_for_norms_and_projections(metric: str, tables: Tables) -> None:
    found = tables["confusion"].filter(metric=metric)
    assert found.height == 4 * 3 * 9
    assert found["share"].max() == pytest.approx(1)
    for ln_type in (POST, "k_proj"):
        [cell] = found.filter(model_a="phi", model_b="solar", layer=20, ln_type=ln_type).to_dicts()
        expected = METRICS[metric](vector("phi", ln_type, 20), vector("solar", ln_type, 20))
        assert cell["value"] == pytest.approx(expected, rel=1e-6)


def test_printed_figures_are_beside_the_measured_ones(tables: Tables) -> None:
    stated = tables["experiment_1"].filter(model="glm").select("experiment", "layers", "stated").rows()
    assert {(1, "0–40", 0.379), (2, "10–20", 0.9982)} <= set(stated)
    assert tables["experiment_6"].filter(n=4, metric="l2_distance")["stated"].to_list() == [75.253]
    assert tables["experiment_4"]["stated_mean"].null_count() == 0
    assert set(tables["experiment_5"]["kind"].value_counts().rows()) == {
        ("MoE with MoE", 6),
        ("MoE with dense", 16),
        ("dense with dense", 6),
    }
    assert tables["layer_0"].filter(kind="printed bound", model="qwen3_4b").height == 2
    assert tables["toy"].filter(kind="printed").height == 48


def test_the_map_counts_every_contradiction(connection: duckdb.DuckDBPyConnection, tables: Tables) -> None:
    [(count,)] = connection.sql("select count(*) from contradictions").fetchall()
    found = tables["contradiction_map"]
    assert found["figures"].sum() == count
    assert not found.select("documents", "strength").is_duplicated().any()


def test_every_known_pair_is_a_mark_with_the_threshold_and_the_range_of_chance(
    connection: duckdb.DuckDBPyConnection, tables: Tables
) -> None:
    found = tables["calibration_seen"]
    assert found["transformation"].to_list() == ["ft"] * 2 + ["permuted"] * 2 + ["folded"] * 2
    assert found.filter(transformation="folded")["z_eff"].null_count() == 2
    [(share_z,)] = connection.sql("select share_z from lineage_thresholds()").fetchall()
    assert found["threshold"].unique().to_list() == [share_z]
    [(low, high)] = connection.sql(
        "select min(z_eff), max(z_eff) from calibration_pairs where relation = 'independent'"
    ).fetchall()
    assert found["chance_low"][0] == pytest.approx(low, abs=1e-3)
    assert found["chance_high"][0] == pytest.approx(high, abs=1e-3)


def test_each_real_pair_is_one_mark_on_the_side_that_the_title_states(
    connection: duckdb.DuckDBPyConnection, tables: Tables
) -> None:
    found = tables["calibration_real"]
    [(pairs,)] = connection.sql("select count(*) from real_models where not repeated").fetchall()
    assert found.unique(["model_a", "model_b"]).height == found.height == pairs
    related, rest = found.filter(kind="related"), found.filter(pl.col("kind").str.starts_with("unrelated"))
    assert set(rest["kind"]) == {"unrelated", "unrelated, both sinusoidal"}
    assert (related["z_eff"] > 2 * related["threshold"]).all()
    assert (rest["z_eff"] < rest["threshold"]).all()


def test_the_null_distribution_counts_every_pair_once_beside_the_normal_density(tables: Tables) -> None:
    found = tables["calibration_null"]
    for (_, statistic), some in found.group_by("grouping", "statistic"):
        assert some["found"].sum() == 40, statistic
        assert some["density"].sum() / 2 == pytest.approx(1, abs=1e-3)
        assert some["normal"].sum() / 2 == pytest.approx(1, abs=1e-3)
        assert some.filter(z=0)["normal"].to_list() == [0.3989]
    naive = found.filter(grouping="outliers", statistic="z_naive")
    assert naive["beyond"][0] > 0
    assert found.filter(grouping="outliers", statistic="z_eff")["beyond"][0] == 0


@pytest.mark.slow
def test_a_matrix_of_a_large_lake_shows_the_models_of_the_documents_and_forty_in_all(tmp_path: Path) -> None:
    vector_at_10 = {(10, INPUT): random_model(1)[0, INPUT]}
    lake = write_lake(
        tmp_path / "lake", dict.fromkeys([*(f"m{i:02}" for i in range(42)), "solar", "glm"], vector_at_10)
    )
    with open_catalog(lake) as connection:
        found = rows(FIGURES["model_matrix"], connection)
    assert found.height == 40 * 40
    assert {"solar", "glm", "m00", "m37"} <= set(found["model_a"])
    assert "m38" not in set(found["model_a"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["permutation_z", "predicted"])
def test_a_figure_of_all_pairs_takes_twelve_models_of_a_large_lake(tmp_path: Path, name: str) -> None:
    models = {f"m{number:02}": random_model(number, layers=1) for number in range(13)}
    lake = write_lake(tmp_path / "lake", {**models, "solar": random_model(14, layers=1)})
    with open_catalog(lake) as connection:
        found = rows(FIGURES[name], connection)
    drawn = {*found["model_a"], *found["model_b"]}
    assert len(drawn) == 12
    assert "solar" in drawn
