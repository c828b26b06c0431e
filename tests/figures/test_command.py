"""`just figure`, missing models, and figures of any two models."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from analysis.__main__ import main
from analysis.figures.catalogue import FIGURES, for_pair
from analysis.figures.draw import chart, rows, spec
from analysis.figures.sources import missing
from tests.sql.lakes import random_model, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.errors import LakeError


@pytest.fixture
def small(data: Path) -> Path:
    """A lake of two models, neither of them of the argument."""
    return write_lake(data / "small", {"one": random_model(1, 7), "other": random_model(2, 7)}).path


@pytest.mark.usefixtures("small")
def test_without_a_name_all_figures_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figure"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(FIGURES)
    assert "Taking out the mean turns a cosine of … into a correlation of …" in " ".join(lines)
    assert "{" not in " ".join(lines)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_a_missing_model_is_named_with_the_command_that_brings_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figure", "figure_03", "--lake", "small", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "error: figure_03 needs glm, intellect" in said
    assert "`just ingest hub glm intellect`" in said
    assert not list(tmp_path.glob("figure_*"))


@pytest.mark.usefixtures("small")
def test_an_unknown_name_is_answered_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figure", "figure_99", "--lake", "small"]) == 1
    said = capsys.readouterr().err
    assert "no figure 'figure_99': did you mean figure_09" in said
    assert main(["figure", "xyz", "--lake", "small"]) == 1
    assert capsys.readouterr().err.endswith("no figure 'xyz': `just figure` lists what there is\n")


@pytest.mark.slow
def test_models_are_missing_in_the_order_the_figure_names_them(small: Path) -> None:
    with open_catalog_of(small) as connection:
        assert missing(FIGURES["figure_04a"], connection) == ["phi", "solar"]
        assert missing(FIGURES["figure_00"], connection) == []


@pytest.mark.slow
def test_a_query_without_rows_is_an_error_in_one_line(small: Path) -> None:
    with open_catalog_of(small) as connection, pytest.raises(LakeError, match="has nothing to show"):
        chart(FIGURES["figure_08"], rows(FIGURES["figure_08"], connection), "lake small")


@pytest.mark.slow
def test_any_two_models_have_the_figures_of_a_pair(small: Path) -> None:
    with open_catalog_of(small) as connection:
        for figure in for_pair("one", "other").values():
            found = rows(figure, connection)
            drawn = spec(chart(figure, found, "lake small"))
            title = " ".join(drawn["title"]["text"])
            assert "one" in title
            assert "other" in title
            assert "Solar" not in str({**drawn, "datasets": {}})
            columns = [column for column in ("model", "model_a", "model_b") if column in found]
            assert {value for column in columns for value in found[column]} == {"one", "other"}


def open_catalog_of(folder: Path) -> duckdb.DuckDBPyConnection:
    from warehouse.lake import Lake

    return open_catalog(Lake(folder.name, folder))
