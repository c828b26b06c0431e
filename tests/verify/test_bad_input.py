"""What `just verify` says of cards that are missing, broken, or that name what cannot be a base."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.__main__ import main
from tests.hub import serve_in_thread
from tests.ingest import tiny
from tests.sql.lakes import Vectors, as_sent, random_model, write_lake
from tests.verify.conftest import STRANGER, WIDTH, child_of, declaring
from warehouse.lake import Lake

CONTENT = tiny.files(tiny.norms(1), shards=1)


# What models of one lake declare, and what is said of them; KIN are children of `test/stranger`.
ODD = {
    "cycle": (["test/stranger"], 0, "consistent: its weights share history with test/stranger"),
    "address": (
        ["https://huggingface.co/test/stranger/tree/v1"],
        0,
        "consistent: its weights share history with https://huggingface.co/test/stranger/tree/v1",
    ),
    "revision": (["test/stranger@v1"], 0, "consistent: its weights share history with test/stranger@v1"),
    "itself": (["test/itself"], 5, "cannot tell: test/itself: it is the model itself"),
    "spelled": (["TEST/Spelled/"], 5, "cannot tell: TEST/Spelled/: it is the model itself"),
    "other_host": (
        ["https://example.org/test/stranger"],
        5,
        "cannot tell: https://example.org/test/stranger: it is not in the lake and could not be read",
    ),
    "control": (["bad\x1b]0;name\x07"], 5, "cannot tell: bad\\x1b]0;name\\x07: it is not in the lake"),
    "many": ([f"lab/{number}" for number in range(300)], 5, "cannot tell: lab/0: it is not in the lake"),
}
KIN = ("cycle", "address", "revision")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """Models with odd declarations; `stranger` and `cycle` declare each other."""
    models: dict[str, Vectors] = {"stranger": STRANGER}
    for seed, name in enumerate(ODD, start=100):
        models[name] = child_of(STRANGER, seed) if name in KIN else random_model(seed, width=WIDTH)
    lake = write_lake(tmp_path_factory.mktemp("odd") / "made", models)
    declaring(lake, "stranger", "test/cycle")
    for name, (bases, _, _) in ODD.items():
        declaring(lake, name, *bases)
    return as_sent(lake, lake.path.with_name("sent"))


@pytest.mark.slow
@pytest.mark.parametrize("model", ODD)
def test_odd_declarations_are_answered_in_a_few_lines(
    model: str, odd: Lake, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a lake of somebody else, into which nothing is read."""
    _, code, said = ODD[model]
    assert main(["verify", model, "--lake", str(odd.path)]) == code
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
