"""Which lake a figure is read from: the lake at hand, or that of the models trained here."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from analysis.__main__ import main
from analysis.figures.catalogue import FIGURES
from analysis.figures.draw import rows
from analysis.figures.figure import Figure
from analysis.figures.sources import Sources, open_sources
from tests.sql.lakes import Vectors, bf16, random_model, write_lake, write_whole
from warehouse.catalog.catalog import open_catalog
from warehouse.errors import LakeError
from warehouse.lake import Lake
from warehouse.tables import TABLES

TOYS = ("toy_ones_a", "toy_ones_b", "toy_rand_a", "toy_rand_b")
TRAINED = [name for name, figure in FIGURES.items() if figure.about in ("models trained here", "calibration")]


@pytest.fixture
def replica(data: Path) -> Lake:
    """The lake at hand: a replica that has none of the trained models."""
    return write_lake(data / "replica", {"solar": random_model(1)}, "replica")


@pytest.fixture
def zoo(data: Path) -> Lake:
    """Models trained here, by the names that the real ones have: four bases, a child, the toys, and Solar."""
    models: dict[str, Vectors] = {
        name: random_model(seed) for seed, name in enumerate(("b00", "b01", "o00", "o01", "solar", *TOYS))
    }
    models["b00_child"] = {key: bf16(values * 1.01) for key, values in models["b00"].items()}
    return with_truth(write_lake(data / "zoo", models))


def with_truth(lake: Lake) -> Lake:
    bases = [
        {"child": name, "kind": "plain" if name.startswith("b") else "outliers"}
        for name in ("b00", "b01", "o00", "o01")
    ]
    child = {"child": "b00_child", "parent": "b00", "transformation": "scaled", "kind": "child"}
    write_whole(lake, "lineage_truth", pa.Table.from_pylist([*bases, child], TABLES["lineage_truth"].schema))
    return lake


def lake_of(figure: Figure, sources: Sources) -> str:
    [(name,)] = sources.of(figure).sql("select lake from lake").fetchall()
    return str(name)


def test_the_figures_of_trained_models_are_the_toy_ones_and_the_calibration() -> None:
    assert TRAINED == ["toy", "calibration_seen", "calibration_null"]


@pytest.mark.slow
@pytest.mark.usefixtures("replica", "zoo")
def test_figures_are_written_and_those_of_trained_models_name_their_lake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "drawn"
    assert main(["figure", "toy", "figure_00", "--lake", "replica", "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        str(out / f"{name}.{kind}") for name in ("toy", "figure_00") for kind in ("png", "svg", "csv")
    ]
    assert "toy: read from lake zoo" in printed.err
    assert "lake replica: 1 model" in printed.err
    assert "figure_00: read" not in printed.err
    assert (out / "toy.png").read_bytes().startswith(b"\x89PNG")
    svg = (out / "toy.svg").read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert "lake zoo" in svg
    assert pl.read_csv(out / "figure_00.csv").height == 113


@pytest.mark.slow
@pytest.mark.usefixtures("zoo")
def test_the_shipped_lake_is_calibrated_before_its_figures_are_read(replica: Lake) -> None:
    figures = [FIGURES[name] for name in TRAINED]
    with open_sources(replica, figures) as sources:
        assert {lake_of(figure, sources) for figure in figures} == {"zoo"}
        for figure in figures:
            assert rows(figure, sources.of(figure)).height > 0


@pytest.mark.slow
def test_a_lake_that_has_the_trained_models_is_read_itself(data: Path, zoo: Lake) -> None:
    own = write_lake(data / "own", {name: random_model(seed) for seed, name in enumerate(TOYS)})
    with open_catalog(own) as at_hand, open_catalog(zoo) as trained:
        assert lake_of(FIGURES["toy"], Sources(at_hand, trained)) == "own"
        assert lake_of(FIGURES["calibration_null"], Sources(at_hand, trained)) == "zoo"


@pytest.mark.slow
def test_other_models_are_never_read_from_another_lake(data: Path, zoo: Lake) -> None:
    without = write_lake(data / "without", {"glm": random_model(2)})
    figure = FIGURES["within_solar"]
    with open_catalog(zoo) as trained:
        assert lake_of(figure, Sources(trained)) == "zoo"
        with (
            open_catalog(without) as at_hand,
            pytest.raises(LakeError, match="which lake without lacks: `just ingest hub solar`"),
        ):
            Sources(at_hand, trained).of(figure)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "command"), [("toy", "`just toy --size published`"), ("calibration_seen", "`just zoo`")]
)
def test_where_the_trained_models_are_missing_too_the_command_that_brings_them_is_named(
    name: str, command: str, replica: Lake, data: Path
) -> None:
    write_lake(data / "zoo", {"other": random_model(1)})
    with (
        open_catalog(replica) as at_hand,
        open_catalog(Lake("zoo", data / "zoo")) as trained,
        pytest.raises(LakeError, match=f"which lake zoo lacks: {command}"),
    ):
        Sources(at_hand, trained).of(FIGURES[name])


def test_the_trained_lake_is_opened_only_for_figures_about_it(replica: Lake, data: Path) -> None:
    with open_sources(replica, [FIGURES["figure_00"]]) as sources:
        assert sources.trained is None
    assert not (data / "zoo").exists()
