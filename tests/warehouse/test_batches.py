"""Ingest commits models in batches by time; a model that fails does not affect the others."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.sql.lakes import random_model, write_lake
from warehouse.errors import LakeError
from warehouse.lake import Lake
from warehouse.paths import current_number
from warehouse.storage import batches
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
def test_models_of_a_second_are_committed_together_and_later_fewer_commits_are_made(lake: Lake) -> None:
    clock = Clock()
    commits = []
    with write_lock(lake):
        batch = Batch(lake, clock)
        for number in range(400):
            clock.now = number / 4
            write(batch, f"m{number}")
            if batch.is_due:
                batch.publish()
                commits.append(clock.now)
        batch.publish()
    waits = [later - earlier for earlier, later in pairwise(commits)]
    assert waits[0] == batches.FIRST_SECONDS
    assert max(waits) <= batches.MOST_SECONDS
    assert len(commits) < 40
    assert len(lake.stems("norms")) == 401


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
