"""Synthetic and toy weights are recognised however their files arrive."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from ingest.__main__ import main
from ingest.origin_marks import MARKER, REPLICA_FINAL_NORMS, REPLICA_TAG, TOY_TAG, marked_card, replica_commit
from ingest.replica.published import PUBLISHED, QWEN3_4B
from ingest.replica.repos import replica_repos
from ingest.replica.running import PROJECT_ROOT
from ingest.replica.values import norm_vector
from ingest.zoo.folders import save_model
from tests.hub import serve_in_thread
from tests.ingest import tiny
from tests.ingest.gguf_bytes import written
from tests.ingest.headers import safetensors
from tests.ingest.running import refused
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import lake_at

Capture = pytest.CaptureFixture[str]
CARD = f"---\nlicense: mit\ntags:\n- {REPLICA_TAG}\n---\n# Tiny\n".encode()


def in_header(files: dict[str, bytes]) -> dict[str, bytes]:
    """The tag in the metadata of one shard."""
    shard = "model-00002-of-00002.safetensors"
    length = int.from_bytes(files[shard][:8], "little")
    header = json.loads(files[shard][8 : 8 + length])
    header["__metadata__"] |= {MARKER: REPLICA_TAG}
    raw = json.dumps(header).encode()
    return {**files, shard: len(raw).to_bytes(8, "little") + raw + files[shard][8 + length :]}


def in_config(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, "config.json": json.dumps({**tiny.CONFIG, MARKER: REPLICA_TAG}).encode()}


def in_card(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, "README.md": CARD}


def in_values(files: dict[str, bytes]) -> dict[str, bytes]:
    """Without tags, a final norm of the replica is recognised, also in another dtype."""
    final = norm_vector(QWEN3_4B, "model.norm.weight")
    return {
        "config.json": files["config.json"],
        "model.safetensors": safetensors({"model.norm.weight": final}, "F32"),
    }


WAYS = [in_header, in_config, in_card, in_values]
Way = Callable[[dict[str, bytes]], dict[str, bytes]]


def sources(lake: Path) -> set[str]:
    return {
        source for (source,) in duckdb.execute(f"select source from '{lake}/models/*.parquet'").fetchall()
    }


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_folder_with_the_mark_is_the_replicas_and_never_local(
    tmp_path: Path, data: Path, capsys: Capture, way: Way
) -> None:
    folder = str(tiny.folder(tmp_path / "m", way(tiny.files(tiny.norms(1)))))
    assert "is for released weights" in refused(capsys, data / "local", folder)
    assert main([folder, "--lake", "aside"]) == 0
    assert sources(data / "aside") == {"replica"}


def test_the_replica_never_stands_beside_local_models(tmp_path: Path, data: Path, capsys: Capture) -> None:
    own = tiny.folder(tmp_path / "own", tiny.files(tiny.norms(2)))
    made = tiny.folder(tmp_path / "m", in_header(tiny.files(tiny.norms(1))))
    assert main([str(own), "--lake", "mine"]) == 0
    assert "sources never mix" in refused(capsys, data / "mine", str(made), "--lake", "mine")


@pytest.mark.slow
@pytest.mark.parametrize("way", [in_header, in_values])
def test_a_hub_that_hides_the_tag_does_not_make_it_real(
    data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    """A mirror serves the replica's files, but its API has no tags."""
    with serve_in_thread(tiny.repo("lab/Tiny", way(tiny.files(tiny.norms(1))))) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert "is for released weights" in refused(capsys, data / "hub", "hub", "lab/Tiny")
        assert main(["hub", "lab/Tiny", "--lake", "aside"]) == 0
    assert sources(data / "aside") == {"replica"}
    assert not (data.parent / "commits.lock.json").exists()


@pytest.mark.parametrize("where", ["normhouse.source", "general.description"])
def test_a_gguf_file_with_the_mark_is_the_replicas(tmp_path: Path, data: Path, where: str) -> None:
    tensors = {"output_norm.weight": tiny.norms(1)["model.norm.weight"]}
    written(tmp_path / "m.gguf", "llama", tensors, {where: REPLICA_TAG})
    assert main([str(tmp_path / "m.gguf"), "--lake", "aside"]) == 0
    assert sources(data / "aside") == {"replica"}


def test_a_gguf_file_made_of_the_replica_is_known_by_its_norms(tmp_path: Path, data: Path) -> None:
    written(tmp_path / "m.gguf", "llama", {"output_norm.weight": norm_vector(QWEN3_4B, "model.norm.weight")})
    assert main([str(tmp_path / "m.gguf"), "--lake", "aside"]) == 0
    assert sources(data / "aside") == {"replica"}


def test_models_trained_here_are_toys_without_being_called_so(
    tmp_path: Path, data: Path, capsys: Capture
) -> None:
    save_model(tmp_path / "m", tiny.norms(1), tiny.CONFIG, {})
    assert TOY_TAG in (tmp_path / "m" / "config.json").read_text()
    assert "is for released weights" in refused(capsys, data / "local", str(tmp_path / "m"))
    (tmp_path / "m" / "config.json").unlink()
    assert main([str(tmp_path / "m"), "--lake", "aside"]) == 0
    assert sources(data / "aside") == {"toy"}


def test_the_replicas_final_norms_are_those_that_ingest_knows() -> None:
    from ingest.origin_marks import _bf16_digest

    made = {_bf16_digest(norm_vector(repo, "model.norm.weight")) for repo in PUBLISHED}
    assert made == REPLICA_FINAL_NORMS


def test_a_card_that_only_speaks_of_the_replica_is_no_mark() -> None:
    assert marked_card(CARD) == "replica"
    assert marked_card(CARD.replace(b"\n", b"\r\n")) == "replica"
    assert marked_card(b"---\nlicense: mit\n---\nnot like " + REPLICA_TAG.encode()) is None
    assert marked_card(REPLICA_TAG.encode()) is None


DOWNLOAD = "import sys; from huggingface_hub import snapshot_download; snapshot_download(sys.argv[1])"


@pytest.mark.slow
def test_a_cache_that_any_client_filled_from_the_replica(
    data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replica model in the Hugging Face cache is not taken as the released one, and no commit is locked."""
    files = in_header(tiny.files(tiny.norms(1)))
    with serve_in_thread(tiny.repo(QWEN3_4B, files)) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        command = [sys.executable, "-c", DOWNLOAD, QWEN3_4B]
        subprocess.run(command, cwd=PROJECT_ROOT, env=os.environ, check=True, capture_output=True)
    monkeypatch.delenv("HF_ENDPOINT")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert "is for released weights" in refused(capsys, data / "hub", "hub", "qwen3_4b")
    assert main(["hub", "qwen3_4b", "--lake", "aside"]) == 0
    assert sources(data / "aside") == {"replica"}
    assert not (data.parent / "commits.lock.json").exists()
    with open_catalog(lake_at("aside")) as connection:
        (caution,) = connection.sql("select caution from lake").fetchall()[0]
    assert "synthetic replica" in caution


def cached(home: Path, repo: str, commit: str, files: dict[str, bytes]) -> None:
    """A snapshot in huggingface_hub's layout."""
    folder = home / "hub" / f"models--{repo.replace('/', '--')}"
    tiny.folder(folder / "snapshots" / commit, files)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(commit)


def test_a_cache_of_the_replica_is_known_by_its_commit_even_without_a_tag(
    data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = replica_commit(QWEN3_4B)
    cached(Path(os.environ["HF_HOME"]), QWEN3_4B, commit, tiny.files(tiny.norms(1)))
    data.mkdir(parents=True)
    (data.parent / "commits.lock.json").write_text(json.dumps({f"{QWEN3_4B}@main": commit}))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert "is for released weights" in refused(capsys, data / "hub", "hub", "qwen3_4b")


def test_every_file_of_the_replica_that_says_anything_has_the_mark() -> None:
    for repo in replica_repos().values():
        for name in ("README.md", "config.json"):
            file = repo.files[name]
            assert REPLICA_TAG.encode() in file.read(0, file.size)
