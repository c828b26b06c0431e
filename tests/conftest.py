"""Every test has its own data folder, and no variable of the developer's shell reaches it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
