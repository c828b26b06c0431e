"""Ingest commits models in batches by time; a model that fails does not affect the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sql.lakes import random_model, write_lake
from warehouse.errors import LakeError
from warehouse.lake import Lake
from warehouse.paths import current_number
from warehouse.storage.batches import Batch
from warehouse.storage.commit import write_lock


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return write_lake(tmp_path / "lake", {"a": random_model(1)})


def write(batch: Batch, model: str) -> None:
    with batch.change([model], is_whole=True) as commit:
        commit.file(f"norms/{model}.parquet").write_text(model)


@pytest.mark.slow
def test_a_run_commits_every_second_at_first_and_every_ten_seconds_later(lake: Lake) -> None:
    clock = Clock()
    times = [*(number / 4 for number in range(20)), *range(200, 230)]
    commits = []
    with write_lock(lake):
        batch = Batch(lake, clock)
        for number, clock.now in enumerate(times):
            write(batch, f"m{number}")
            if batch.is_due:
                batch.publish()
                commits.append(clock.now)
        batch.publish()
    assert commits == [1, 2, 3, 4, 200, 210, 220]
    assert len(lake.stems("norms")) == 1 + len(times)


@pytest.mark.slow
def test_nothing_written_is_no_commit(lake: Lake) -> None:
    before = current_number(lake.path)
    with write_lock(lake):
        batch = Batch(lake)
        with batch.change(["x"], is_whole=False) as commit:
            commit.file("slices/x.parquet").write_text("same")
            commit.discard("slices/x.parquet")
        batch.publish()
        batch.publish()
    assert current_number(lake.path) == before
    assert not (lake.store / f"{(before or 0) + 1:08}").exists()


def fail(batch: Batch) -> None:
    with batch.change(["bad"], is_whole=True) as commit:
        commit.file("norms/bad.parquet").write_text("half")
        raise OSError(28, "No space left on device")


@pytest.mark.slow
def test_a_full_disk_costs_one_model_and_is_said_in_one_line(lake: Lake) -> None:
    with write_lock(lake):
        batch = Batch(lake)
        write(batch, "good")
        with pytest.raises(LakeError, match="no space to write lake 'lake'") as said:
            fail(batch)
        assert "\n" not in str(said.value)
        assert batch.pending == ["good"]
        batch.publish()
    assert lake.stems("norms") == ["a", "good"]
