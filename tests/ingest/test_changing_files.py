"""A local model that changes while it is read is refused, so that no mixture of two versions is stored."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from ingest.__main__ import main
from ingest.local_files import LocalFiles
from ingest.open_model import Opened
from ingest.pipeline import Outcome, ingest_models
from ingest.slices.wanted import SlicesWanted
from ingest.store_model import Wanted
from tests.ingest import sliced, tiny
from tests.ingest.gguf_bytes import written
from tests.ingest.headers import safetensors
from tests.ingest.running import tree
from warehouse.console.progress import Progress
from warehouse.lake import Lake, lake_at
from warehouse.rows import Floats
from warehouse.storage.commit import write_lock

FIRST, LAST = "model.layers.0.input_layernorm.weight", "model.norm.weight"
SHARD = "model.safetensors"
INDEX = "model.safetensors.index.json"
KEYS = "model.layers.1.self_attn.k_proj.weight"
VALUES = "model.layers.1.self_attn.v_proj.weight"
LAKE = "changing"

Save = Callable[[Path, bytes], None]


def in_place(path: Path, content: bytes) -> None:
    with path.open("r+b") as file:
        file.write(content)
        file.truncate()


def replaced(path: Path, content: bytes) -> None:
    """An atomic replacement that keeps the old file's time."""
    old = path.stat()
    new = path.with_name("new")
    new.write_bytes(content)
    os.utime(new, ns=(old.st_atime_ns, old.st_mtime_ns))
    new.rename(path)


def removed(path: Path, _content: bytes) -> None:
    path.unlink()


@dataclass
class Rewriting(LocalFiles):
    """The folder; one file is saved again right after the first read of another, or of the same one."""

    folder: Path
    after: str
    changed: str
    content: bytes
    save: Save = in_place
    reads_before: int = 1

    def __post_init__(self) -> None:
        LocalFiles.__init__(self, self.folder)

    async def whole(self, name: str) -> bytes:
        found = await super().whole(name)
        self._was_read_now(name)
        return found

    async def front(self, name: str, length: int) -> tuple[bytes, int]:
        found = await super().front(name, length)
        self._was_read_now(name)
        return found

    async def range(self, name: str, start: int, stop: int) -> bytes:
        found = await super().range(name, start, stop)
        self._was_read_now(name)
        return found

    def _was_read_now(self, name: str) -> None:
        if name == self.after:
            self.reads_before -= 1
            if self.reads_before == 0:
                self.save(self.folder / self.changed, self.content)


def ingest(lake: Lake, files: LocalFiles, wanted: Wanted) -> Outcome:
    async def opener() -> Opened:
        return Opened(files, "m", "local", None)

    with write_lock(lake):
        return asyncio.run(ingest_models(lake, {"m": opener}, wanted, Progress(quiet=True)))


def assert_refused(lake: Lake, files: Rewriting, wanted: Wanted | None = None) -> None:
    before = tree(lake.path)
    outcome = ingest(lake, files, wanted or Wanted())
    [error] = outcome.failed.values()
    assert str(error) == (
        f"{files.folder}/{files.changed} changed while the model was read: "
        f"ingest it again once nothing writes to it"
    )
    assert tree(lake.path) == before


def tensors(seed: int) -> dict[str, Floats]:
    """Norms before and after a matrix that is too large to be read with the header."""
    draw = np.random.default_rng(seed)

    def norm() -> Floats:
        return tiny.bf16(draw.normal(1, 0.1, 8).astype(np.float32))

    matrix = tiny.bf16(draw.normal(size=(2_200_000 // 8, 8)).astype(np.float32))
    return {FIRST: norm(), KEYS: matrix, VALUES: matrix + 1, LAST: norm()}


@pytest.fixture(scope="module")
def versions() -> tuple[bytes, bytes]:
    return safetensors(tensors(1), "BF16"), safetensors(tensors(2), "BF16")


@pytest.mark.parametrize("save", [in_place, replaced])
def test_a_file_that_changes_behind_its_header_is_refused(
    tmp_path: Path, versions: tuple[bytes, bytes], save: Save
) -> None:
    """Each version alone is valid, and all lengths are equal."""
    folder = tiny.folder(tmp_path / "m", {SHARD: versions[0]})
    assert_refused(lake_at(LAKE), Rewriting(folder, SHARD, SHARD, versions[1], save))


@pytest.mark.parametrize("save", [in_place, replaced, removed])
def test_a_file_that_changes_behind_its_last_read_is_refused(
    tmp_path: Path, versions: tuple[bytes, bytes], save: Save
) -> None:
    folder = tiny.folder(tmp_path / "m", {SHARD: versions[0]})
    assert_refused(lake_at(LAKE), Rewriting(folder, SHARD, SHARD, versions[1], save, reads_before=2))


@pytest.mark.parametrize("changed", ["config.json", INDEX, "model-00001-of-00002.safetensors"])
@pytest.mark.parametrize("after", ["config.json", "model-00002-of-00002.safetensors"])
def test_shards_index_and_config_must_be_of_one_version(tmp_path: Path, changed: str, after: str) -> None:
    """Also a file that is replaced before its own first read, but after another's."""
    config = {**tiny.CONFIG, "num_hidden_layers": 4}
    other = tiny.files(tiny.norms(2), config=config)
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    assert_refused(lake_at(LAKE), Rewriting(folder, after, changed, other[changed]))


def test_a_gguf_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    def content(seed: int) -> bytes:
        draw = np.random.default_rng(seed)
        matrix = draw.normal(size=(300_000 // 8, 8)).astype(np.float32)
        norm = draw.normal(1, 0.1, 8).astype(np.float32)
        parts = {"blk.0.attn_norm.weight": norm, "token_embd.weight": matrix, "output_norm.weight": norm}
        [path] = written(tmp_path / f"{seed}.gguf", "llama", parts)
        return path.read_bytes()

    folder = tiny.folder(tmp_path / "m", {"m.gguf": content(1)})
    assert_refused(lake_at(LAKE), Rewriting(folder, "m.gguf", "m.gguf", content(2)))


def test_projections_are_of_the_same_version_as_the_norms(
    tmp_path: Path, versions: tuple[bytes, bytes]
) -> None:
    """The file changes after the first piece of a matrix is read."""
    folder = tiny.folder(tmp_path / "m", {SHARD: versions[0]})
    files = Rewriting(folder, SHARD, SHARD, versions[1], reads_before=3)
    assert_refused(lake_at(LAKE), files, Wanted(projections=frozenset({1})))


@pytest.mark.slow
def test_slices_are_of_the_same_version_as_the_norms(tmp_path: Path, data: Path) -> None:
    """The norms are already stored, and remain."""
    folder = tiny.folder(tmp_path / "m", sliced.files(sliced.llama(1)))
    assert main([str(folder), "--lake", LAKE, "--quiet"]) == 0
    shard = "model-00001-of-00002.safetensors"
    other = sliced.files(sliced.llama(2))[shard]
    for reads in (2, 3, 4):
        files = Rewriting(folder, shard, shard, other, reads_before=reads)
        assert_refused(lake_at(LAKE), files, Wanted(slices=SlicesWanted()))
        in_place(folder / shard, sliced.files(sliced.llama(1))[shard])
    assert not (data / LAKE / "slices").exists()


def test_a_file_written_in_the_moment_before_is_read_only_once_its_time_tells_versions_apart(
    tmp_path: Path, versions: tuple[bytes, bytes]
) -> None:
    """File systems give all writes within one tick of a clock the same time."""
    folder = tiny.folder(tmp_path / "m", {SHARD: versions[0]})
    os.utime(folder / SHARD)
    assert_refused(lake_at(LAKE), Rewriting(folder, SHARD, SHARD, versions[1]))


def test_an_unchanged_model_is_stored(tmp_path: Path, versions: tuple[bytes, bytes]) -> None:
    folder = tiny.folder(tmp_path / "m", {SHARD: versions[0]})
    outcome = ingest(lake_at(LAKE), LocalFiles(folder), Wanted())
    assert outcome.written == ["m"]
