"""Every test has its own data folder, and no variable of the developer's shell reaches it."""

from __future__ import annotations

import os
import shutil
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
# Made once, by whichever test comes first, in up to half a minute of a quiet machine.
MADE_ONCE = {"replica_lake", "report", "shipped_zoo", "zoo"}
MAKING_SECONDS = 400


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and MADE_ONCE.intersection(item.fixturenames):
            item.add_marker(pytest.mark.timeout(MAKING_SECONDS))


@pytest.fixture(autouse=True, scope="session")
def own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """For fixtures of a module or the session; what they write stays out of the developer's own lakes."""
    folder = tmp_path_factory.mktemp("session") / "data"
    with pytest.MonkeyPatch.context() as patch:
        for variable in list(os.environ):
            if variable.startswith(SHELL_VARIABLES) or variable.lower() in PROXIES:
                patch.delenv(variable)
        patch.setenv("NORMHOUSE_DATA", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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


@pytest.fixture(scope="session")
def shipped_zoo(own_data: Path) -> Lake:
    """The models of known ancestry from the shipped files, and their calibration: 12 s, hence once."""
    from analysis.lakes import trained_lake
    from analysis.lineage.calibrate import calibrated

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(own_data))
        lake = trained_lake()
        calibrated(lake)
    return lake


@pytest.fixture
def own_zoo(shipped_zoo: Lake, data: Path) -> Lake:
    """A copy of them among this test's lakes, where commands look before they unpack the shipped files."""
    shutil.copytree(shipped_zoo.path, data / "zoo")
    return Lake("zoo", data / "zoo")
