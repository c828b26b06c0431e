"""`just pin` writes the pins of indirect dependencies and nothing else; `just lint` compares them with uv."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import pin

PROJECT = """\
[project]
dependencies = ["Fast_Frames==1.0", "typed[extra]==2.0"]

[dependency-groups]
dev = ["tester==3.0", { include-group = "more" }]
more = ["more.tests==4.0"]

[tool.uv]
constraint-dependencies = [
    # `just pin` writes from here
    "gone==1.0",
    "kept==1.0",
    # to here
]

[tool.other]
lines = ["kept==0.1"]
"""
RESOLVED = [
    "fast-frames==1.0",
    "kept==1.0",
    "more-tests==4.0",
    "new==2.0 ; sys_platform == 'win32'",
    "split==1.0 ; python_full_version < '3.12'",
    "split==2.0 ; python_full_version >= '3.12'",
    "tester==3.0",
    "typed==2.0",
]
PINNED = PROJECT.replace('    "gone==1.0",\n', "").replace(
    '"kept==1.0",\n',
    """\
"kept==1.0",
    "new==2.0",
    "split==1.0 ; python_full_version < '3.12'",
    "split==2.0 ; python_full_version >= '3.12'",
""",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pyproject.toml of this project's place."""
    path = tmp_path / "pyproject.toml"
    path.write_text(PROJECT)
    monkeypatch.setattr(pin, "PYPROJECT", path)
    return path


def test_indirect_dependencies_are_pinned_between_the_comments() -> None:
    assert pin.with_pins(PROJECT, RESOLVED) == PINNED
    assert pin.with_pins(PINNED, RESOLVED) == PINNED


def test_what_is_no_version_of_a_registry_is_refused() -> None:
    with pytest.raises(pin.CannotPin, match="pin it by hand"):
        pin.with_pins(PROJECT, ["new @ https://example.org/new.whl"])


def test_a_file_without_the_comments_is_refused() -> None:
    with pytest.raises(pin.CannotPin, match="restore them"):
        pin.with_pins(PROJECT.replace("    # to here\n", ""), RESOLVED)


def test_uv_that_cannot_resolve_is_one_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project.write_text(PROJECT.replace("Fast_Frames==1.0", "not a name"))
    if shutil.which("uv") is None:
        pytest.skip("no uv on the path")
    assert pin.main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: uv cannot resolve")
    assert said.count("\n") == 1


def test_every_pin_of_this_project_is_exact_and_none_is_of_a_direct_dependency() -> None:
    text = pin.PYPROJECT.read_text(encoding="utf-8")
    found = pin.PINS.search(text)
    assert found is not None
    pins = [line.strip(' ",') for line in found[0].splitlines()]
    assert len(pins) > 50
    assert all(pin.PIN.fullmatch(line) for line in pins)
    assert pin.with_pins(text, pins) == text
