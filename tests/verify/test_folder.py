"""`just verify FOLDER` compares a model of the disk with the default lake, and names models by alias."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.__main__ import main
from analysis.verify.reading import ingest
from tests.ingest import tiny
from tests.sql.lakes import INPUT, POST, Vectors, bf16, replace_row, write_lake
from warehouse.lake import remember_current
from warehouse.rows import Floats, Source

WIDTH, LAYERS = 256, 4
BASE = tiny.norms(1, LAYERS, WIDTH)


def as_vectors(tensors: dict[str, Floats]) -> Vectors:
    return {
        (layer, kind): tensors[f"model.layers.{layer}.{kind}.weight"]
        for layer in range(LAYERS)
        for kind in (INPUT, POST)
    }


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """The folder of a child of BASE that declares nothing."""
    random = np.random.default_rng(3)
    child = {name: bf16(values + random.normal(0, 0.01, WIDTH)) for name, values in BASE.items()}
    config = {**tiny.CONFIG, "hidden_size": WIDTH, "num_hidden_layers": LAYERS}
    return str(tiny.folder(tmp_path / "mine", tiny.files(child, 1, config)))


def default_lake(data: Path, source: Source = "local") -> None:
    """The same weights under two aliases, as two ingests of folders called `base` leave them."""
    models = {"base": as_vectors(BASE), "acme--base": as_vectors(BASE)}
    lake = write_lake(data / ("local" if source == "local" else "made_up"), models, source)
    replace_row(lake, *(replace(lake.model(name), repo="base") for name in models))
    remember_current(lake)


@pytest.mark.slow
def test_the_default_lake_is_searched_by_alias(
    data: Path, mine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    default_lake(data)
    assert main(["verify", mine]) == 4
    out, err = capsys.readouterr()
    assert "it shares weight history with acme--base, base, not declared" in out
    assert len(set(out.splitlines())) == len(out.splitlines())
    assert "lake local: 2 models (local)" in err
    for base, other in (("acme--base", "base"), ("base", "acme--base")):
        assert main(["verify", mine, "--base", base]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == f"mine: consistent: its weights share history with {base}, as named with --base"
        assert lines[-1].startswith(f"  relative {other} (z +")
        assert lines[-1].endswith(f": it shares weight history with {base}, too")


@pytest.mark.slow
def test_a_folder_that_was_ingested_is_the_stored_model(
    data: Path, mine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    default_lake(data)
    assert ingest([mine]) == []
    assert main(["verify", mine, "--base", "base"]) == 0
    assert "mine: consistent: its weights share history with base" in capsys.readouterr().out


@pytest.mark.slow
def test_real_weights_are_not_compared_with_a_default_lake_of_made_up_ones(
    data: Path, mine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """After `just demo`: GLM's name does not make replica weights a base of a real model."""
    default_lake(data, "replica")
    assert main(["verify", mine]) == 5
    out, err = capsys.readouterr()
    assert "mine: cannot tell: it declares no base, and the lake has no other model of its width" in out
    assert "lake made_up has synthetic or toy weights: using lake hub" in err
    assert "no lake hub yet: no other models to compare with" in err
