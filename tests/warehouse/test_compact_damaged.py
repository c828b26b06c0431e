"""Compaction of lakes that are damaged, incomplete or being compacted by another process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.__main__ import main as ingest
from tests.sql.gathering import contents, gather, small_lake
from tests.sql.lakes import add_model, random_model
from warehouse.errors import LakeError
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock


def flip_a_byte(file: Path) -> None:
    """In a page of data, where only its checksum shows it."""
    content = bytearray(file.read_bytes())
    content[len(content) // 4] ^= 0xFF
    file.write_bytes(bytes(content))


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-50])


WRONG: dict[str, Callable[[Path], None]] = {
    "flipped": flip_a_byte,
    "cut": cut_short,
    "missing": Path.unlink,
}


def files_of(lake: Lake) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in lake.folder.rglob("*.parquet")}


def refuses(lake: Lake, file: str) -> None:
    before = files_of(lake)
    with pytest.raises(LakeError, match=f"damaged.*{file}|{file} is damaged") as caught:
        gather(lake)
    assert "\n" not in str(caught.value)
    assert files_of(lake) == before
    assert max(path.name for path in lake.store.iterdir() if path.is_dir()) == lake.folder.name


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONG)
def test_a_damaged_single_model_prevents_a_compaction(tmp_path: Path, wrong: str) -> None:
    lake = small_lake(tmp_path / "lake")
    WRONG[wrong](lake.file("norms", "c"))
    refuses(lake, "norms/c.parquet")


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONG)
def test_a_damaged_bundle_is_not_compacted_with_new_models(tmp_path: Path, wrong: str) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake)
    add_model(lake, "late", random_model(9))
    WRONG[wrong](lake.file("tensors", "00001"))
    refuses(lake, "tensors/00001.parquet")


@pytest.mark.slow
def test_a_damaged_row_of_models_is_not_compacted(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    cut_short(lake.file("models", "c"))
    refuses(lake, "models/c.parquet")


@pytest.mark.slow
def test_once_a_file_is_repaired_everything_is_compacted(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    before = contents(lake)
    file = lake.file("vectors", "c")
    whole = file.read_bytes()
    flip_a_byte(file)
    refuses(lake, "vectors/c.parquet")
    file.write_bytes(whole)
    assert gather(lake) == 6
    assert contents(lake) == before


@pytest.mark.slow
def test_a_second_compaction_is_refused_in_one_line(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lake = small_lake(data / "mine")
    with write_lock(lake):
        assert ingest(["compact", "--lake", "mine"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "lake 'mine' is being written" in said.err
    assert said.err.count("\n") == 1
    assert len(lake.single_models()) == 6
