"""What `just verify` says of cards that are missing, broken, or that name what cannot be a base."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.__main__ import main
from tests.hub import serve_in_thread
from tests.ingest import tiny
from tests.sql.lakes import copy_of
from tests.verify.conftest import declaring
from warehouse.lake import Lake

CONTENT = tiny.files(tiny.norms(1), shards=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "bases", "code", "said"),
    [
        ("silent", ["test/stranger"], 0, "consistent: its weights share history with test/stranger"),
        (
            "silent",
            ["https://huggingface.co/test/stranger/tree/v1"],
            0,
            "consistent: its weights share history",
        ),
        ("silent", ["test/stranger@v1"], 0, "consistent: its weights share history with test/stranger@v1"),
        ("alone", ["test/alone"], 5, "cannot tell: test/alone: it is the model itself"),
        (
            "alone",
            ["https://example.org/test/base"],
            5,
            "cannot tell: https://example.org/test/base: it is not in",
        ),
        ("alone", ["bad\x1b]0;name\x07"], 5, "cannot tell: bad\\x1b]0;name\\x07: it is not in the lake"),
        ("alone", [f"lab/{number}" for number in range(300)], 5, "cannot tell: lab/0: it is not in the lake"),
    ],
    ids=["cycle", "address", "revision", "itself", "another host", "control characters", "300 bases"],
)
def test_odd_declarations_are_answered_in_a_few_lines(
    model: str,
    bases: list[str],
    code: int,
    said: str,
    lake: Lake,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In a lake in which `stranger` declares `silent` as its base."""
    odd = declaring(copy_of(lake, tmp_path / "odd"), "stranger", "test/silent")
    declaring(odd, model, *bases)
    assert main(["verify", model, "--lake", str(odd.folder)]) == code
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith(f"test/{model}: {said}")
    assert len(lines) < 15
    assert all(line.isprintable() for line in [first, *lines])


def test_a_model_that_cannot_be_read_is_an_answer_with_its_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that a job in CI has something to upload."""
    adapter = {
        "adapter_model.safetensors": CONTENT["model-00001-of-00001.safetensors"],
        "adapter_config.json": b"{}",
    }
    path, sarif = tiny.folder(tmp_path / "adapter", adapter), tmp_path / "out.sarif"
    assert main(["verify", str(path), "--lake", "made", "--sarif", str(sarif)]) == 5
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{path}: cannot tell: it could not be read (")
    assert "belongs to an adapter, which has no norms of its own" in line
    assert '"ruleId": "cannot-tell"' in sarif.read_text("utf-8")


@pytest.mark.slow
def test_a_base_that_is_gone_gated_or_unnamed_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repos = tiny.repo("lab/gated", CONTENT, gated=True) | tiny.repo("lab/base", CONTENT)
    cards = {
        "declares": b"---\nbase_model: [lab/gone, lab/gated, lab/base@main]\n---\n",
        "broken": b"---\nbase_model: [lab/base\n---\n",
        "silent": None,
    }
    said = {}
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        for name, card in cards.items():
            files = CONTENT if card is None else {**CONTENT, "README.md": card}
            code = main(["verify", str(tiny.folder(tmp_path / name, files)), "--lake", "made"])
            said[name] = (code, capsys.readouterr())
    code, (out, err) = said["declares"]
    assert "declared lab/gone, from README.md: no repo lab/gone at " in out
    assert "declared lab/gated, from README.md: " in out
    assert "gated" in out
    assert "Traceback" not in err
    for name in ("broken", "silent"):
        code, (out, err) = said[name]
        assert code in (4, 5)
        assert out.splitlines()[0].startswith(f"{name}: ")
    assert "its front matter is not valid YAML (line " in said["broken"][1].err
