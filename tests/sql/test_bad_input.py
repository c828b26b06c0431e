"""Empty lakes, odd models and wrong names: an empty result or a clear message, never a wrong number."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from tests.sql.conftest import rows
from tests.sql.lakes import INPUT, POST, bf16, random_model, write_lake
from warehouse.catalog.catalog import build_catalog, open_catalog
from warehouse.catalog.definitions import definitions
from warehouse.errors import LakeError

VIEWS = [one.name for one in definitions() if one.kind == "view"]

# These views are the same in every lake.
TOLD = {
    *("documents", "printed", "printed_intervals", "printed_exp3_offsets", "printed_layer_0_offsets"),
    *(
        "contradictions",
        "_contradicting_pairs",
        "measured",
        "_measured_summaries",
        "measured_elsewhere",
        "real_models",
        "anchors",
        "macros_and_views",
        "questions",
        "slice_calibration",
        "peer_rules",
    ),
}

# These describe the lake itself.
ONE_ROW = {"lake", "_caution"}


@pytest.mark.slow
def test_every_view_of_an_empty_lake_is_empty_with_its_columns(
    tmp_path: Path, catalog: duckdb.DuckDBPyConnection
) -> None:
    lake = write_lake(tmp_path / "lake", {})
    with open_catalog(lake) as connection:
        for view in VIEWS:
            empty = connection.sql(f"from {view}")
            full = catalog.sql(f"from {view}")
            assert (empty.columns, empty.types) == (full.columns, full.types), view
            if view in TOLD:
                assert len(empty.fetchall()) == len(full.fetchall()) > 0, view
            else:
                assert len(empty.fetchall()) == (1 if view in ONE_ROW else 0), view
        assert rows(connection, "select models, sources, caution from lake") == [
            {"models": 0, "sources": None, "caution": None}
        ]
        with pytest.raises(duckdb.Error, match="no model 'solar' in this lake"):
            connection.sql("from compare('solar', 'glm')").fetchall()


@pytest.mark.slow
def test_a_lake_of_one_model_has_no_matches_but_its_own_pairs(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"only": random_model(1)})
    with open_catalog(lake) as connection:
        assert rows(connection, "from matched_layers") == []
        assert rows(connection, "from nearest('only')") == []
        assert len(rows(connection, "from pairs")) == 16 + 16 + 1
        assert len(rows(connection, "from within_model")) == 12 + 12


def test_models_of_different_widths_are_never_compared(catalog: duckdb.DuckDBPyConnection) -> None:
    assert rows(catalog, "from compare('base', 'wide')") == []
    assert rows(catalog, "from summary('base', 'wide')") == []
    assert rows(catalog, "from pairs where model_a = 'wide' and model_b <> 'wide'") == []


def test_a_missing_layer_is_left_out(catalog: duckdb.DuckDBPyConnection) -> None:
    layers = {row["layer"] for row in rows(catalog, "from compare('base', 'short')")}
    assert layers == {-1, 0, 2, 3}


def test_vectors_with_nan_or_inf_are_counted_kept_and_excluded_with_the_reason(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    broken = rows(
        catalog,
        f"from vector_stats where model = 'broken' and ln_type = '{INPUT}' and layer < 2 order by layer",
    )
    assert [(row["n_nan"], row["n_inf"]) for row in broken] == [(1, 1), (0, 1)]
    for row in broken:
        assert row["excluded"] == "has NaN or Inf"
        assert [row[name] for name in ("mean", "std", "l2_norm", "min", "q50", "abs_q99")] == [None] * 6
    assert catalog.sql("select count(*) from norms where model = 'broken'").fetchall() == [(9 * 64,)]
    for view, layer in (("pairs", "layer_a"), ("matched_layers", "layer")):
        found = {
            row[layer]
            for row in rows(catalog, f"from {view} where model_a = 'broken' and ln_type = '{INPUT}'")
        }
        assert found == {2, 3}, view
    assert {row["layer"] for row in rows(catalog, "from within_layer where model = 'broken'")} == {2, 3}


@pytest.mark.slow
def test_a_model_with_a_quote_in_its_name_can_be_asked_for(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"o'neil": random_model(1), 'the "best"': random_model(2)})
    with open_catalog(lake) as connection:
        assert len(rows(connection, "from compare('o''neil', 'the \"best\"')")) == 9
        assert [row["model"] for row in rows(connection, "from nearest('o''neil')")] == ['the "best"']


@pytest.mark.parametrize(
    "query",
    [
        "from compare('base', 'no''body')",
        "from compare('no''body', 'base')",
        "from summary('base', 'no''body')",
        "from layer_grid('no''body', 'base', 'input_layernorm')",
        "from drift('base', 'no''body')",
        "from nearest('no''body')",
        "from within('no''body', [1, 2])",
        "from within_layer_compare('base', 'no''body')",
    ],
)
def test_an_unknown_alias_is_named(catalog: duckdb.DuckDBPyConnection, query: str) -> None:
    with pytest.raises(duckdb.Error, match=r"no model 'no'body' in this lake: .* lists what there is"):
        catalog.sql(query).fetchall()


def test_unknown_layers_and_types_are_simply_not_there_and_unknown_models_refused(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    for choice in (
        "similarity_matrix(2, among := ['base', 'nobody'])",
        "similarity_matrix_mixed([{'model': 'nobody', 'layer': 2}])",
    ):
        with pytest.raises(duckdb.Error, match="no model 'nobody' in this lake"):
            catalog.sql(f"from {choice}").fetchall()
    assert rows(catalog, "from similarity_matrix(77)") == []
    assert rows(catalog, "from within('base', [77])") == []
    assert rows(catalog, "from layer_grid('base', 'noisy', 'no_norm')") == []


@pytest.mark.slow
def test_a_parquet_file_that_is_none_is_named_in_one_line(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    lake.file("vectors", "a").write_bytes(b"rubbish")
    with pytest.raises(
        LakeError, match=r"cannot build the catalog of lake 'lake' .*vectors/a\.parquet"
    ) as caught:
        build_catalog(lake)
    assert "\n" not in str(caught.value)
    assert not list(lake.path.glob(".catalog.*"))


@pytest.mark.slow
def test_projections_are_served_by_the_same_views(tmp_path: Path) -> None:
    random = np.random.default_rng(8)
    matrices = {
        model: {
            (layer, kind): bf16(random.normal(0, 0.03, 70_000))
            for layer in (0, 1)
            for kind in ("k_proj", "v_proj")
        }
        for model in ("a", "b")
    }
    models = {"a": random_model(1), "b": random_model(2), "c": random_model(3)}
    lake = write_lake(tmp_path / "lake", models, projections=matrices)
    with open_catalog(lake) as connection:
        found = {(row["ln_type"], row["layer"]): row for row in rows(connection, "from compare('a', 'b')")}
        assert {kind for kind, _ in found} >= {INPUT, POST, "k_proj", "v_proj"}
        row = found["k_proj", 1]
        x, y = (matrices[model][1, "k_proj"].astype(float) for model in ("a", "b"))
        assert row["pearson"] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
        assert row["mean_abs_diff"] == pytest.approx(abs(x - y).mean(), abs=1e-12)
        assert row["spearman"] is None  # ranks of matrices are not kept
        assert found[INPUT, 1]["spearman"] is not None
        assert len(rows(connection, "from layer_grid('a', 'b', 'v_proj')")) == 4
        assert rows(connection, "select count(*) as n from projections") == [{"n": 8 * 70_000}]
