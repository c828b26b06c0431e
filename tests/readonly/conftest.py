"""Two lakes: one for `just sql`, and one for the page, which keeps its lake open and locked."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from analysis.explore.asking import Explored, open_lake
from tests.sql.lakes import tiny_models, write_lake
from warehouse.catalog.catalog import ensure_catalog
from warehouse.lake import Lake


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder."""
    data = tmp_path_factory.mktemp("readonly") / "data"
    tiny = tiny_models()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(data))
        for name in ("asked", "shown"):
            ensure_catalog(write_lake(data / name, {model: tiny[model] for model in ("base", "copy")}))
    return data


@pytest.fixture(autouse=True)
def data_of_the_lakes(lakes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(lakes))


@pytest.fixture
def asked(lakes: Path) -> Lake:
    return Lake("asked", lakes / "asked")


@pytest.fixture
def shown() -> Explored:
    return open_lake("shown")


def content(*folders: Path) -> dict[Path, str]:
    """Every file and folder below these folders, with its hash."""
    return {
        path: hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for folder in folders
        for path in folder.rglob("*")
        if "__pycache__" not in path.parts
    }
