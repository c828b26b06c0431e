"""Slices in a lake: rows of matrices as any tool reads them, and the anchors that two models share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
import polars
import pytest

from tests.sql.conftest import rows
from tests.sql.lakes import random_model, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.documents import anchors
from warehouse.lake import Lake
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.parquet import slice_rows_writer


def add_tokens(lake: Lake, model: str, ids: dict[str, int]) -> None:
    """Embedding rows of these tokens: each holds its id three times."""
    weights = np.repeat(np.array(list(ids.values()), np.float32)[:, None], 3, axis=1)
    with write_lock(lake), new_commit(lake) as commit:
        path = commit.file(f"slice_rows/{model}.parquet")
        with slice_rows_writer(path, model, {"source": "local"}) as writer:
            writer.write("embedding", -1, None, list(ids.values()), weights, list(ids))
        commit.publish()


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)})


def shared(lake: Lake) -> Sequence[dict[str, object]]:
    with open_catalog(lake) as connection:
        return rows(connection, "from shared_anchors('a', 'b')")


@pytest.mark.slow
def test_the_anchors_are_distinct_and_in_their_order(lake: Lake) -> None:
    assert len(set(anchors())) == len(anchors()) >= 1_500
    with open_catalog(lake) as connection:
        found = connection.sql("select position, anchor from anchors order by position").fetchall()
    assert found == list(enumerate(anchors()))
    assert {" the", "the", "a", "9", "{", "的", "이", " de", "ф", "の", " и"} <= set(anchors())


@pytest.mark.slow
def test_two_models_share_the_anchors_that_both_have_in_the_shipped_order(lake: Lake) -> None:
    some = [anchors()[n] for n in (7, 400, 3, 90, 1_000)]
    add_tokens(lake, "a", {anchor: number for number, anchor in enumerate(some)})
    add_tokens(lake, "b", {anchor: 100 - number for number, anchor in enumerate([*some[:4], "no anchor"])})
    assert [(row["position"], row["anchor"], row["row_a"], row["row_b"]) for row in shared(lake)] == [
        (3, some[2], 2, 98),
        (7, some[0], 0, 100),
        (90, some[3], 3, 97),
        (400, some[1], 1, 99),
    ]


@pytest.mark.slow
def test_two_models_use_512_anchors_at_most_the_first_ones(lake: Lake) -> None:
    for model in "ab":
        add_tokens(lake, model, {anchor: number for number, anchor in enumerate(anchors()[:600])})
    assert [row["position"] for row in shared(lake)] == list(range(512))


@pytest.mark.slow
def test_models_without_slices_share_none_and_unknown_ones_are_refused(lake: Lake) -> None:
    assert shared(lake) == []
    with open_catalog(lake) as connection, pytest.raises(duckdb.Error, match="no model 'c' in this lake"):
        connection.sql("from shared_anchors('a', 'c')").fetchall()


@pytest.mark.slow
def test_other_tools_read_a_row_as_a_list(lake: Lake) -> None:
    add_tokens(lake, "a", {" the": 5, "9": 7})
    found = polars.scan_parquet(lake.path / "slice_rows", hive_partitioning=True).collect()
    assert found["anchor"].to_list() == [" the", "9"]
    assert found["weights"].to_list() == [[5, 5, 5], [7, 7, 7]]
    assert found["expert"].to_list() == [None, None]
