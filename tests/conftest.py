"""Every test has its own data folder, and no variable of the developer's shell reaches it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from warehouse.lake import Lake

PROJECT = Path(__file__).parents[1]
SHELL_VARIABLES = (
    "HF_",
    "HUGGING_FACE_",
    "NORMHOUSE_",
    "XDG_CACHE_HOME",
    "SOURCE_DATE_EPOCH",
    "NO_COLOR",
    "FORCE_COLOR",
)
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True, scope="session")
def own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What fixtures of the whole session write stays out of the developer's own lakes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(tmp_path_factory.mktemp("session") / "data"))
        yield


@pytest.fixture(autouse=True)
def own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in list(os.environ):
        if variable.startswith(SHELL_VARIABLES) or variable.lower() in PROXIES:
            monkeypatch.delenv(variable)
    monkeypatch.setenv("NORMHOUSE_DATA", str(tmp_path / "world" / "data"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "world" / "huggingface"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of this test's lakes."""
    return tmp_path / "world" / "data"


@pytest.fixture(scope="session")
def replica_lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """All twelve replica models, ingested once by the real command: client, server and all."""
    folder = tmp_path_factory.mktemp("replica") / "data"
    environment = {**os.environ, "NORMHOUSE_DATA": str(folder)}
    command = [sys.executable, "-m", "ingest", "replica", "--quiet"]
    subprocess.run(command, cwd=PROJECT, env=environment, check=True, capture_output=True)
    return Lake("replica", folder / "replica")
