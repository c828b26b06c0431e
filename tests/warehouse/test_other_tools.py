"""The Parquet files are plain data: pandas, polars, pyarrow and plain DuckDB read a table's folder alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from tests.sql.lakes import INPUT, tiny_models, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

EXPECTED = tiny_models()["noisy"][2, INPUT].tolist()
TABLES = ("norms", "models", "tensors", "vectors")


def by_pandas(folder: Path) -> pa.Table:
    return pa.Table.from_pandas(pandas.read_parquet(folder, dtype_backend="pyarrow"), preserve_index=False)


def by_polars(folder: Path) -> pa.Table:
    return polars.scan_parquet(folder).collect().to_arrow()


def by_duckdb(folder: Path) -> pa.Table:
    with duckdb.connect() as connection:
        return connection.sql(f"from '{folder}/*.parquet'").to_arrow_table()


def as_dataset(folder: Path) -> pa.Table:
    return ds.dataset(folder).to_table()


def as_hive_dataset(folder: Path) -> pa.Table:
    return ds.dataset(folder, partitioning="hive").to_table()


READERS: list[Callable[[Path], pa.Table]] = [
    by_pandas,
    by_polars,
    by_duckdb,
    pq.read_table,
    as_dataset,
    as_hive_dataset,
]


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
@pytest.mark.parametrize("table", TABLES)
def test_a_tables_folder_is_read_whole_with_the_columns_as_stored(
    tiny: Lake, table: str, read: Callable[[Path], pa.Table]
) -> None:
    found = read(tiny.path / table)
    stored = [pq.ParquetFile(file).read() for file in (tiny.path / table).glob("*.parquet")]
    assert found.column_names == stored[0].column_names
    assert found.num_rows == sum(rows.num_rows for rows in stored)
    assert set(found["model"].to_pylist()) == set(tiny_models())


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
def test_values_are_those_of_the_model_named(tiny: Lake, read: Callable[[Path], pa.Table]) -> None:
    wanted = (pc.field("model") == "noisy") & (pc.field("layer") == 2) & (pc.field("ln_type") == INPUT)
    found = read(tiny.path / "norms").filter(wanted).sort_by("dim")
    assert found["value"].to_pylist() == EXPECTED


def test_python_gets_every_column_of_a_model_from_duckdb(tiny: Lake) -> None:
    with open_catalog(tiny) as connection:
        relation = connection.sql("from models")
        [row] = relation.filter("model = 'noisy'").fetchall()
        when = row[relation.columns.index("ingested_at")]
    assert when.utcoffset() is not None


def test_keys_in_the_path_to_a_lake_are_no_columns(tmp_path: Path) -> None:
    tiny = tiny_models()
    lake = write_lake(tmp_path / "model=evil" / "layer=9" / "made", {"base": tiny["base"]})
    with open_catalog(lake) as connection:
        layers = connection.sql("select distinct model, layer from norms order by all").fetchall()
        assert layers == [("base", layer) for layer in (-1, 0, 1, 2, 3)]
        compared = connection.sql("select distinct model_a, layer_a from pairs order by all").fetchall()
        assert compared == layers


def test_packed_vectors_are_lists_for_every_reader(tiny: Lake) -> None:
    file = tiny.file("vectors", "noisy")
    table = pq.read_table(file)
    frame = polars.read_parquet(file)
    row = table.filter((pc.field("layer") == 2) & (pc.field("ln_type") == INPUT)).to_pylist()[0]
    assert row["weights"] == EXPECTED
    np.testing.assert_allclose(row["mean"], np.mean(EXPECTED), atol=1e-15)
    again = frame.filter((polars.col("layer") == 2) & (polars.col("ln_type") == INPUT))
    assert again["ranks"].to_list()[0] == row["ranks"]
    assert abs(sum(row["ranks"])) < 1e-9
