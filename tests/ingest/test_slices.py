"""`just ingest … --slices`: which rows are read, from a hub and from a folder, and its messages."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import redirect_stderr
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from analysis.__main__ import main as analysis
from ingest.__main__ import main
from tests.hub import Fault, RunningHub, serve_in_thread
from tests.ingest import sliced, tiny
from tests.ingest.gguf_bytes import tiny_gguf
from tests.ingest.running import refused, tree

REPO = "some-lab/Tiny-1B"
MODEL = sliced.llama()
EMBEDDING = MODEL["model.embed_tokens.weight"]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHub]:
    with serve_in_thread(tiny.repo(REPO, sliced.files(MODEL))) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv("NORMHOUSE_FIRST_WAIT", "0.01")
        yield hub


def assert_slices(lake: Path, model: str = "tiny_1b") -> None:
    """Embedding rows of the first 640 anchors, gate and up of layers 0 and 2 of 3, as they were stored."""
    tokens = sliced.tokens_of(lake, model)
    assert tokens.keys() == set(list(sliced.TOKENS)[:640])
    for anchor, weights in tokens.items():
        np.testing.assert_array_equal(weights, EMBEDDING[sliced.TOKENS[anchor]])
    for layer in (0, 2):
        for part in ("gate", "up"):
            expected = MODEL[f"model.layers.{layer}.mlp.{part}_proj.weight"]
            np.testing.assert_array_equal(sliced.rows_of(lake, model, part, layer), expected)
    assert len(sliced.described(lake, model)) == 5


class Ingested(NamedTuple):
    lake: Path
    said: list[str]


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    """A lake with a sliced model, for tests that only read; and the lines on stderr."""
    data = tmp_path_factory.mktemp("sliced") / "data"
    said = io.StringIO()
    repos = tiny.repo(REPO, sliced.files(MODEL))
    with serve_in_thread(repos) as hub, pytest.MonkeyPatch.context() as patch, redirect_stderr(said):
        patch.setenv("NORMHOUSE_DATA", str(data))
        patch.setenv("HF_ENDPOINT", hub.endpoint)
        assert main(["hub", REPO, "--slices"]) == 0
    return Ingested(data / "hub", said.getvalue().splitlines())


@pytest.mark.slow
def test_slices_are_the_weights_as_stored(ingested: Ingested) -> None:
    assert_slices(ingested.lake)


def test_each_matrix_is_described_with_the_digest_of_its_rows(ingested: Ingested) -> None:
    rows = {(row["matrix"], row["layer"]): row for row in sliced.described(ingested.lake, "tiny_1b")}
    up = rows["up", 2]
    raw = (MODEL[up["tensor"]].view(np.uint32) >> 16).astype("<u2").tobytes()
    assert up["sha256"] == hashlib.sha256(raw).hexdigest()
    assert (up["rows"], up["tensor_rows"], up["columns"], up["bytes"]) == (6, 6, 8, 96)
    assert (up["dtype"], up["expert"]) == ("BF16", None)
    tokens = sorted(list(sliced.TOKENS.values())[:640])
    raw = (EMBEDDING[tokens].view(np.uint32) >> 16).astype("<u2").tobytes()
    embedding = rows["embedding", -1]
    assert embedding["sha256"] == hashlib.sha256(raw).hexdigest()
    assert (embedding["rows"], embedding["tensor_rows"]) == (640, sliced.VOCABULARY)


def test_it_says_beforehand_what_it_will_read_and_at_the_end_what_it_read(ingested: Ingested) -> None:
    said = ingested.said
    [plan] = [line for line in said if "anchors" in line]
    [done] = [line for line in said if "read in" in line]
    assert "embedding rows of 640 anchors, gate and up of layers 0, 2 (6 of 6 neurons)" in plan
    assert "14.8 kB in 5 requests" in plan  # all 900 rows of tokens, and 4 matrices
    assert said.index(plan) < said.index(done)


@pytest.mark.slow
def test_slices_are_added_to_a_model_without_reading_its_norms_again(hub: RunningHub, data: Path) -> None:
    main(["hub", REPO])
    before, asked = tree(data / "hub"), len(hub.log)
    assert main(["hub", REPO, "--slices"]) == 0
    assert_slices(data / "hub")
    after = tree(data / "hub")
    assert {path for path in before if after[path] != before[path]} == {"models/tiny_1b.parquet"}
    paths = [entry.request.path for entry in hub.log[asked:]]
    assert not any(path.endswith("config.json") for path in paths)


@pytest.mark.slow
def test_what_is_there_is_not_read_again(
    hub: RunningHub, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["hub", REPO, "--slices"])
    before, asked = tree(data), len(hub.log)
    assert main(["hub", REPO, "--slices"]) == 0
    assert (tree(data), len(hub.log)) == (before, asked)
    assert "nothing written, 1 already there" in capsys.readouterr().out


@pytest.mark.slow
def test_other_layers_are_read_beside_those_that_are_there(hub: RunningHub, data: Path) -> None:
    main(["hub", REPO, "--slices"])
    assert main(["hub", REPO, "--slice-layers", "1"]) == 0
    assert {row["layer"] for row in sliced.described(data / "hub", "tiny_1b")} == {-1, 0, 1, 2}
    asked = len(hub.log)
    assert main(["hub", REPO, "--slice-layers", "0,1"]) == 0
    assert len(hub.log) == asked


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
def test_damaged_slices_are_noticed_and_read_again(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["hub", REPO, "--slices"])
    (data / "hub" / "slices" / "tiny_1b.parquet").write_bytes(b"not Parquet")
    capsys.readouterr()
    assert main(["hub", REPO]) == 0
    assert "slices/tiny_1b.parquet has 11 bytes" in capsys.readouterr().err
    assert_slices(data / "hub")


@pytest.mark.slow
def test_a_new_commit_brings_its_own_slices_also_when_they_are_not_asked_for(
    hub: RunningHub, data: Path
) -> None:
    main(["hub", REPO, "--slices"])
    other = sliced.llama(seed=2)
    hub.server.site.repos = tiny.repo(REPO, sliced.files(other))
    assert main(["hub", REPO, "--update"]) == 0
    found = sliced.rows_of(data / "hub", "tiny_1b", "gate", 2)
    np.testing.assert_array_equal(found, other["model.layers.2.mlp.gate_proj.weight"])


@pytest.mark.slow
def test_a_failure_leaves_the_norms_and_the_same_command_goes_on(
    hub: RunningHub, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.faults.append(Fault("server_error", times=1, path="tokenizer", status=404))
    assert main(["hub", REPO, "--slices", "--quiet"]) == 1
    assert "error: tiny_1b: " in capsys.readouterr().err
    assert (data / "hub" / "norms" / "tiny_1b.parquet").is_file()
    assert not (data / "hub" / "slice_rows").exists()
    assert main(["hub", REPO, "--slices"]) == 0
    assert_slices(data / "hub")


@pytest.mark.slow
def test_a_hub_that_sends_small_files_whole_serves_the_tokenizer_all_the_same(
    hub: RunningHub, data: Path
) -> None:
    hub.faults.append(Fault("ok_to_range", times=1, path="tokenizer"))
    assert main(["hub", REPO, "--slices"]) == 0
    assert_slices(data / "hub")


@pytest.mark.slow
def test_a_folder_is_read_like_a_hub_and_again_when_it_changed(tmp_path: Path, data: Path) -> None:
    folder = tiny.folder(tmp_path / "mine", sliced.files(MODEL))
    assert main([str(folder), "--slices"]) == 0
    assert_slices(data / "local", "mine")
    before = tree(data)
    assert main([str(folder), "--slices"]) == 0
    assert tree(data) == before
    changed = {**MODEL, "model.layers.2.mlp.up_proj.weight": sliced.matrix(77, 6, 8)}
    for name, content in sliced.files(changed).items():
        (folder / name).write_bytes(content)
    assert main([str(folder), "--slices"]) == 0
    found = sliced.rows_of(data / "local", "mine", "up", 2)
    np.testing.assert_array_equal(found, changed["model.layers.2.mlp.up_proj.weight"])


@pytest.mark.slow
def test_a_model_without_a_tokenizer_gives_gate_and_up_and_says_so(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny.folder(tmp_path / "mine", tiny.files(MODEL))
    assert main([str(tmp_path / "mine"), "--slices"]) == 0
    assert "no embedding rows" in capsys.readouterr().err
    assert {row["matrix"] for row in sliced.described(data / "local", "mine")} == {"gate", "up"}


def test_a_tokenizer_of_another_model_is_refused(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = sliced.tokenizer({" the": 5, " of": 12_345})
    folder = tiny.folder(tmp_path / "mine", sliced.files(MODEL) | {"tokenizer.json": foreign})
    main([str(folder)])
    said = refused(capsys, data / "local", str(folder), "--slices")
    assert "gives ' of' the number 12,345, but the embedding has 900 rows" in said


@pytest.mark.slow
def test_gguf_is_refused_with_the_reason(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [file] = tiny_gguf(tmp_path / "mine.gguf")
    main([str(file)])
    assert "is GGUF, whose matrices are" in refused(capsys, data / "local", str(file), "--slices")


def test_a_model_with_nothing_to_slice_is_refused_with_the_reason(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny.folder(tmp_path / "mine", tiny.files(tiny.norms(1)))
    main([str(folder)])
    said = refused(capsys, data / "local", str(folder), "--slices")
    assert "no embedding of a known name; no gate and up of a known name in layer 0" in said


@pytest.mark.slow
def test_slices_of_the_replica_do_not_enter_a_lake_of_other_models(
    hub: RunningHub, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["hub", REPO])
    hub.server.site.repos = tiny.repo(REPO, sliced.files(MODEL), tags=("normhouse-replica",))
    assert "sources never mix" in refused(capsys, data / "hub", "hub", REPO, "--slices", "--update")


def folder_of(path: Path, name: str, layers: int, seed: int) -> Path:
    config = {**tiny.CONFIG, "num_hidden_layers": layers}
    content = tiny.files(sliced.llama(seed, layers), config=config) | {"tokenizer.json": sliced.tokenizer()}
    return tiny.folder(path / name, content)


def layers_of(lake: Path, model: str) -> set[int]:
    return {row["layer"] for row in sliced.described(lake, model) if row["matrix"] == "gate"}


@pytest.mark.slow
def test_a_model_of_another_depth_is_read_so_that_both_can_be_compared(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A layer of the shallower model may be the next one in the deeper model, so both are read."""
    folder_of(tmp_path / "all", "base", 6, 1)
    folder_of(tmp_path / "all", "deeper", 7, 2)
    assert main([str(tmp_path / "all"), "--slices"]) == 0
    assert layers_of(data / "local", "base") == {1, 4}
    assert layers_of(data / "local", "deeper") == {1, 2, 4, 5}
    assert "to compare it with base" in capsys.readouterr().err
    own_layers = ["--slice-layers", "1,4", "--lake", "own_layers"]
    assert main([str(tmp_path / "all"), *own_layers]) == 0
    assert analysis(["lineage", "base", "deeper", "--lake", "own_layers", "--json"]) == 0
    command = "just ingest FOLDER --alias deeper --lake own_layers --slice-layers 2,5"
    assert f"run `{command}`" in capsys.readouterr().out
    rest = command.removeprefix("just ingest FOLDER ").split()
    assert main([str(tmp_path / "all" / "deeper"), *rest]) == 0
    assert layers_of(data / "own_layers", "deeper") == {1, 2, 4, 5}
    assert analysis(["lineage", "base", "deeper", "--lake", "own_layers", "--json"]) == 0
    assert "depths differ" not in capsys.readouterr().out


@pytest.mark.slow
def test_models_of_very_different_depths_are_read_at_their_own_layers(tmp_path: Path, data: Path) -> None:
    folder_of(tmp_path / "all", "base", 3, 1)
    folder_of(tmp_path / "all", "deep", 12, 2)
    assert main([str(tmp_path / "all"), "--slices"]) == 0
    assert layers_of(data / "local", "deep") == {3, 8}
