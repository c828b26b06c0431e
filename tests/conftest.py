"""Every test has its own data folder, and no variable of the developer's shell reaches it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ingest.__main__ import main
from warehouse.lake import Lake, lake_at

OURS = (
    "HF_",
    "HUGGING_FACE_",
    "NORMHOUSE_",
    "XDG_CACHE_HOME",
    "SOURCE_DATE_EPOCH",
    "NO_COLOR",
    "FORCE_COLOR",
)
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in list(os.environ):
        if variable.startswith(OURS) or variable.lower() in PROXIES:
            monkeypatch.delenv(variable)
    monkeypatch.setenv("NORMHOUSE_DATA", str(tmp_path / "world" / "data"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "world" / "huggingface"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of this test's lakes."""
    return tmp_path / "world" / "data"


@pytest.fixture(scope="session")
def replica_lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """All twelve replica models, ingested once through the real client and the real server."""
    folder = tmp_path_factory.mktemp("replica") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(folder))
        assert main(["replica", "--quiet"]) == 0
        return lake_at("replica")
