"""Packing: exact where it must be, the same bytes every time, bounded in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.sql.expected import average_ranks
from tests.sql.lakes import INPUT, bf16, random_model, tiny_models, write_lake
from warehouse import pack
from warehouse.connections import connect
from warehouse.pack import ROW_GROUP_VECTORS, empty_vectors, pack_vectors
from warehouse.parquet import projections_writer


def test_the_same_rows_give_the_same_bytes_whatever_the_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1, layers=20, width=500)})
    first = lake.file("vectors", "a").read_bytes()
    monkeypatch.setattr(pack, "connect", lambda config: connect(config={**config, "threads": 4}))
    pack_vectors(lake.file("norms", "a"), tmp_path / "again.parquet", {"model": "a"})
    assert (tmp_path / "again.parquet").read_bytes() == first


def test_batches_do_not_change_what_is_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = write_lake(tmp_path / "lake", {"a": tiny_models()["broken"]})
    whole = pq.read_table(lake.file("vectors", "a"), partitioning=None)
    for values in (1, 64, 300):
        monkeypatch.setattr(pack, "BATCH_VALUES", values)
        pack_vectors(lake.file("norms", "a"), tmp_path / "small.parquet", {})
        order = [("ln_type", "ascending"), ("layer", "ascending")]
        cut = pq.read_table(tmp_path / "small.parquet").sort_by(order)
        # NaN differs from itself, so the raw weights are compared by their bits.
        assert cut.drop_columns("weights").equals(whole.sort_by(order).drop_columns("weights"))


def test_row_groups_are_small_and_carry_the_provenance(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1, layers=20)})
    metadata = pq.read_metadata(lake.file("vectors", "a"))
    sizes = [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]
    assert max(sizes) == ROW_GROUP_VECTORS
    assert sum(sizes) == 41
    assert metadata.metadata[b"normhouse.model"] == b"a"


def test_a_file_without_rows_packs_to_a_file_without_rows(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": {}})
    packed = pq.read_table(lake.file("vectors", "a"), partitioning=None)
    assert packed.num_rows == 0
    assert packed.schema.names == empty_vectors().schema.names


def test_mean_and_spread_survive_a_large_mean_and_a_tiny_spread(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    values = (1 + 1e-4 * random.normal(size=4096)).astype(np.float32)
    lake = write_lake(tmp_path / "lake", {"a": {(0, INPUT): values}})
    [row] = pq.read_table(lake.file("vectors", "a"), partitioning=None).to_pylist()
    exact = values.astype(np.longdouble)
    assert row["mean"] == pytest.approx(float(exact.mean()), rel=1e-16)
    assert row["std"] == pytest.approx(float(exact.std()), rel=1e-13)
    assert abs(sum(row["pattern"])) < 1e-12


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-30, 3e38, -7.7])
def test_a_constant_vector_has_its_constant_as_mean_and_an_empty_pattern(
    tmp_path: Path, value: float
) -> None:
    lake = write_lake(tmp_path / "lake", {"a": {(0, INPUT): np.full(5000, value, np.float32)}})
    [row] = pq.read_table(lake.file("vectors", "a"), partitioning=None).to_pylist()
    assert (row["mean"], row["std"]) == (float(np.float32(value)), 0.0)
    assert set(row["pattern"]) == set(row["ranks"]) == {0.0}


def test_ranks_are_average_ranks_minus_their_mean(tmp_path: Path) -> None:
    values = np.array([0.5, -0.0, 0.0, 2, 2, 2, -1, 0.5], np.float32)
    lake = write_lake(tmp_path / "lake", {"a": {(0, INPUT): values}})
    [row] = pq.read_table(lake.file("vectors", "a"), partitioning=None).to_pylist()
    assert row["ranks"] == (average_ranks(values.astype(float)) - 4.5).tolist()


def test_a_matrix_is_packed_as_one_long_vector_without_ranks(tmp_path: Path) -> None:
    values = bf16(np.random.default_rng(3).normal(0, 0.03, 300_000))
    source = tmp_path / "projections.parquet"
    with projections_writer(source, "a", {}) as writer:
        for begin in range(0, len(values), 131_072):
            writer.write(10, "k_proj", begin, values[begin : begin + 131_072])
    pack_vectors(source, tmp_path / "out.parquet", {})
    [row] = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert (row["d"], row["ranks"]) == (300_000, None)
    assert row["std"] == pytest.approx(values.astype(float).std(), rel=1e-12)
    assert row["weights"] == values.tolist()
