"""The Parquet files are plain data: polars, pyarrow and DuckDB without the catalog read them alike."""

from __future__ import annotations

import duckdb
import numpy as np
import polars
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from tests.sql.lakes import INPUT, tiny_models
from warehouse.lake import Lake

EXPECTED = tiny_models()["noisy"][2, INPUT].tolist()


def test_polars_scans_the_hive_partitions(tiny: Lake) -> None:
    found = (
        polars.scan_parquet(tiny.path / "norms", hive_partitioning=True)
        .filter(
            (polars.col("model") == "noisy") & (polars.col("layer") == 2) & (polars.col("ln_type") == INPUT)
        )
        .sort("dim")
        .collect()
    )
    assert found.columns == ["model", "layer", "ln_type", "dim", "value"]
    assert found["value"].to_list() == EXPECTED


def test_pyarrow_reads_the_dataset(tiny: Lake) -> None:
    dataset = ds.dataset(tiny.path / "norms", partitioning="hive")
    wanted = (pc.field("model") == "noisy") & (pc.field("layer") == 2) & (pc.field("ln_type") == INPUT)
    table = dataset.to_table(filter=wanted).sort_by("dim")
    assert table["value"].to_pylist() == EXPECTED


def test_duckdb_reads_it_without_the_catalog(tiny: Lake) -> None:
    with duckdb.connect() as connection:
        found = connection.sql(f"""
            select value from '{tiny.path}/norms/**/*.parquet'
            where model = 'noisy' and layer = 2 and ln_type = '{INPUT}' order by dim
        """).fetchall()
    assert [value for (value,) in found] == EXPECTED


def test_packed_vectors_are_lists_for_every_reader(tiny: Lake) -> None:
    file = tiny.file("vectors", "noisy")
    table = pq.read_table(file, partitioning=None)
    frame = polars.read_parquet(file)
    row = table.filter((pc.field("layer") == 2) & (pc.field("ln_type") == INPUT)).to_pylist()[0]
    assert row["weights"] == EXPECTED
    np.testing.assert_allclose(np.array(row["pattern"]) + row["mean"], EXPECTED, atol=1e-15)
    again = frame.filter((polars.col("layer") == 2) & (polars.col("ln_type") == INPUT))
    assert again["pattern"].to_list()[0] == row["pattern"]
    assert abs(sum(row["ranks"])) < 1e-9
