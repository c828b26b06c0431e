"""What the page of `just explore` asks of a lake, and how it shows the answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from analysis.__main__ import main
from analysis.explore.asking import (
    MOST_ROWS,
    ask,
    first_cell,
    first_pair,
    layer_pairs,
    lineage,
    open_lake,
    points,
    shared_norms,
)
from analysis.explore.page import heading, heatmap, verdict
from analysis.figures.charts.heatmaps import _grid, _signed
from tests.sql.lakes import INPUT, POST, tiny_models, write_lake
from warehouse.lake import remember_current

TINY = tiny_models()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data with one replica lake `made`."""
    data = tmp_path_factory.mktemp("explored") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(data))
        models = {name: TINY[name] for name in ("base", "constant", "noisy", "wide")}
        remember_current(write_lake(data / "made", models, source="replica"))
    return data


@pytest.fixture(autouse=True)
def data_of_the_lake(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(folder))


@pytest.mark.slow
def test_points_are_values_minus_the_mean_of_their_vector() -> None:
    found = points(open_lake("made"), "base", 2, "noisy", 1, INPUT)
    expected = [TINY["base"][2, INPUT].astype(float), TINY["noisy"][1, INPUT].astype(float)]
    assert found["dim"].to_list() == list(range(64))
    for column, values in zip("ab", expected, strict=True):
        np.testing.assert_allclose(found[column].to_numpy(), values - values.mean(), atol=1e-12)


def test_norms_are_those_that_both_have_in_one_width() -> None:
    lake = open_lake("made")
    assert shared_norms(lake, "base", "noisy") == [INPUT, POST, "final_norm"]
    assert shared_norms(lake, "base", "wide") == []
    assert layer_pairs(lake, "base", "noisy", INPUT).shape[0] == 16


def test_the_heading_says_the_lake_and_its_caution_and_the_verdict_what_is_undefined() -> None:
    lake = open_lake("made")
    first = heading(lake)
    assert "lake made: 4 models (replica)" in first
    assert "no evidence about the released weights" in first
    said = verdict(lineage(lake, "base", "constant"))
    assert "cannot tell" in said
    assert "<th>z_eff</th><td>undefined</td>" in said


def test_the_page_begins_with_the_disputed_pair_at_equal_layers() -> None:
    assert first_pair(["glm", "phi", "solar"]) == ("solar", "glm")
    assert first_pair(["a", "b", "glm"]) == ("a", "b")
    assert first_pair(["a"]) == ("a", None)
    grid = pl.DataFrame({"layer_a": [0, 1, 1], "layer_b": [0, 1, 2], "cosine": [0.5, 0.8, 0.9]})
    assert first_cell(grid)["layer_b"] == 1
    assert first_cell(grid.tail(1))["layer_b"] == 2
    undefined = grid.with_columns(cosine=pl.Series([None, 0.1, None], dtype=pl.Float64))
    assert first_cell(undefined)["layer_a"] == 1


def test_heatmaps_have_the_scale_and_orientation_of_the_report_whatever_their_values() -> None:
    rows = pl.DataFrame({"layer_a": [0], "layer_b": [0], "pearson": [0.9], "cosine": [0.2]})
    drawn = heatmap(rows, "pearson", ("solar", "glm"), "lake").to_dict()
    assert drawn["encoding"]["y"]["sort"] == "descending"
    assert drawn["encoding"]["y"]["title"] == "layer of Solar"
    report = _grid(rows.with_columns(model_a=pl.lit("solar"), model_b=pl.lit("glm")), "pearson", _signed(0.1))
    scale = report.to_dict()["layer"][0]["encoding"]["color"]["scale"]
    drawn_scale = drawn["encoding"]["color"]["scale"]
    assert (drawn_scale["scheme"], drawn_scale["domain"]) == (scale["scheme"], scale["domain"])


def test_an_own_query_is_answered_cut_or_refused_with_duckdbs_words() -> None:
    lake, again = open_lake("made"), open_lake("made")
    assert ask(lake, "select model from models").note == ask(again, "from models").note == "4 rows"
    cut = ask(lake, "from range(6000)")
    assert cut.rows is not None
    assert len(cut.rows) == MOST_ROWS
    assert "the first 5,000 rows" in cut.note
    assert "Parser Error" in ask(lake, "selec 1").note
    assert "no query" in ask(lake, "").note


def test_an_own_query_reaches_no_file_but_those_of_the_lake(tmp_path: Path) -> None:
    lake = open_lake("made")
    (tmp_path / "secret.csv").write_text("a\n1\n")
    assert "Permission Error" in ask(lake, f"from '{tmp_path}/secret.csv'").note
    assert "only queries that read are run" in ask(lake, f"copy (select 1) to '{tmp_path}/made.csv'").note
    assert not (tmp_path / "made.csv").exists()


def test_an_unknown_lake_is_refused_before_a_server_starts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "--lake", "nowhere"]) == 1
    assert "error: no lake 'nowhere'" in capsys.readouterr().err
