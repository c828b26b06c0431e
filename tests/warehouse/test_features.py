"""Derived features: exact where they must be, the same bytes every time, bounded in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.lineage.planted import planted_models
from tests.sql.expected import average_ranks
from tests.sql.lakes import INPUT, POST, bf16, random_model, tiny_models, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import read_query
from warehouse.features import vectors as vectors_module
from warehouse.features.build import (
    ROW_GROUP_VECTORS,
    build_features,
    write_features,
    write_matrix_features,
)
from warehouse.features.vectors import unpacked
from warehouse.storage.parquet import projections_writer
from warehouse.tables import DERIVED, TABLES


@pytest.mark.slow
def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1, layers=20, width=500), "b": random_model(2)})
    [vectors] = unpacked(lake.file("norms", "a"))
    packed = build_features(vectors[::-1], [lake.model("a")])
    write_features(packed, "a", lambda table: tmp_path / f"{table}.parquet", {"model": "a"})
    for table in DERIVED:
        assert (tmp_path / f"{table}.parquet").read_bytes() == lake.file(table, "a").read_bytes(), table


@pytest.mark.slow
def test_batches_do_not_change_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_models()["broken"]
    lake = write_lake(tmp_path / "lake", {"a": model})
    for values in (1, 64, 300):
        monkeypatch.setattr(vectors_module, "BATCH_VALUES", values)
        found = [vector for batch in unpacked(lake.file("norms", "a")) for vector in batch]
        assert [(one.layer, one.ln_type) for one in found] == sorted(model, key=lambda key: key[::-1])
        for one in found:
            assert one.values.tobytes() == model[one.layer, one.ln_type].tobytes()


def test_a_vector_that_goes_on_in_the_next_row_group_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_module, "BATCH_VALUES", 100)
    source = tmp_path / "projections.parquet"
    with projections_writer(source, "a", {}) as writer:
        for layer in range(3):
            for begin in range(0, 250, 50):
                values = np.arange(begin, begin + 50, dtype=np.float32)
                writer.write(layer, "k_proj", begin, values + 1000 * layer)
    found = [vector for batch in unpacked(source) for vector in batch]
    assert [one.layer for one in found] == [0, 1, 2]
    for one in found:
        assert one.values.tolist() == [1000 * one.layer + value for value in range(250)]


@pytest.mark.slow
def test_row_groups_are_small_and_carry_the_provenance(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1, layers=20)})
    metadata = pq.read_metadata(lake.file("vectors", "a"))
    sizes = [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]
    assert max(sizes) == ROW_GROUP_VECTORS
    assert sum(sizes) == 41
    assert metadata.metadata[b"normhouse.model"] == b"a"


@pytest.mark.slow
def test_a_file_without_rows_packs_to_a_file_without_rows(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": {}})
    packed = pq.read_table(lake.file("vectors", "a"), partitioning=None)
    assert packed.num_rows == 0
    assert packed.schema.names == TABLES["vectors"].schema.names


@pytest.mark.slow
def test_mean_and_spread_survive_a_large_mean_and_a_tiny_spread(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    values = (1 + 1e-4 * random.normal(size=4096)).astype(np.float32)
    lake = write_lake(tmp_path / "lake", {"a": {(0, INPUT): values}})
    [row] = pq.read_table(lake.file("vectors", "a"), partitioning=None).to_pylist()
    exact = values.astype(np.longdouble)
    assert row["mean"] == pytest.approx(float(exact.mean()), rel=1e-16)
    assert row["std"] == pytest.approx(float(exact.std()), rel=1e-13)
    with open_catalog(lake) as connection:
        [(pattern,)] = connection.sql("select pattern from vectors").fetchall()
    assert abs(sum(pattern)) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-30, 3e38, -7.7])
def test_a_constant_vector_has_its_constant_as_mean_and_an_empty_pattern(
    tmp_path: Path, value: float
) -> None:
    lake = write_lake(tmp_path / "lake", {"a": {(0, INPUT): np.full(5000, value, np.float32)}})
    [row] = pq.read_table(lake.file("vectors", "a"), partitioning=None).to_pylist()
    assert (row["mean"], row["std"]) == (float(np.float32(value)), 0.0)
    assert set(row["ranks"]) == {0.0}
    with open_catalog(lake) as connection:
        [(pattern,)] = connection.sql("select pattern from vectors").fetchall()
    assert set(pattern) == {0.0}


@pytest.mark.slow
def test_ranks_are_average_ranks_minus_their_mean(tmp_path: Path) -> None:
    values = np.array([0.5, -0.0, 0.0, 2, 2, 2, -1, 0.5], np.float32)
    lake = write_lake(tmp_path / "lake", {"a": {(0, INPUT): values}})
    [row] = pq.read_table(lake.file("vectors", "a"), partitioning=None).to_pylist()
    assert row["ranks"] == (average_ranks(values.astype(float)) - 4.5).tolist()


@pytest.mark.slow
def test_ranks_are_what_plain_sql_says_they_are(tmp_path: Path) -> None:
    models = {name: model for name, model in tiny_models().items() if name != "broken"}
    lake = write_lake(tmp_path / "lake", {**models, "even": {(0, POST): np.array([3, 1, 1, 2], np.float32)}})
    with open_catalog(lake) as connection:
        rows = connection.sql(f"from ({read_query('reference/ranks')}) order by all").fetchall()
        packed = connection.sql("""
            select model, layer, ln_type, unnest(range(d)) as dim, unnest(ranks)::double as centred_rank
            from vectors order by all
        """).fetchall()
    assert rows == packed


@pytest.mark.slow
def test_correlations_are_those_of_the_ranks_up_to_the_diagonal(tmp_path: Path) -> None:
    model = random_model(1)
    lake = write_lake(tmp_path / "lake", {"a": model})
    [row] = pq.read_table(lake.file("correlations", "a")).to_pylist()
    keys = sorted(model, key=lambda key: key[::-1])
    assert row["norms"] == [f"{kind} {layer}" for layer, kind in keys]
    expected = np.corrcoef([average_ranks(model[key].astype(float)) for key in keys])
    np.testing.assert_allclose(row["correlations"], expected[np.tril_indices(9)], atol=1e-9)


@pytest.mark.slow
def test_correlations_are_to_the_bit_those_of_products_in_sql(tmp_path: Path) -> None:
    """Of ranks with ties, with biases, and of detrended norms."""
    models = {name: planted_models()[name] for name in ("child", "biased", "placed", "half_constant")}
    lake = write_lake(tmp_path / "lake", models)
    query = """
        with norms as (
            select model, kind, rank, vector, sqrt(inner_product(vector, vector)) as length
            from (
                select model, kind, (ln_type, layer) as rank, ranks as vector
                from lineage_norms where dropped is null
                union all
                select
                    model, kind || ' detrended' as kind, (ln_type, layer) as rank,
                    pattern_of(detrended_ranks, mean_of(detrended_ranks)) as vector
                from files.detrended_ranks
            )
        )
        select
            model, kind,
            list(
                round(inner_product(a.vector, b.vector) / (a.length * b.length) * 2 ** 30) / 2 ** 30
                order by a.rank, b.rank
            ) as correlations
        from norms as a join norms as b using (model, kind) where b.rank <= a.rank
        group by all order by all
    """
    with open_catalog(lake) as connection:
        stored = connection.sql(
            "select model, kind, correlations from files.correlations order by all"
        ).fetchall()
        assert stored == connection.sql(query).fetchall()
    assert {kind for _, kind, _ in stored} == {"weights", "biases", "weights detrended"}


@pytest.mark.slow
def test_a_sketch_does_not_depend_on_the_order_of_the_norms(tmp_path: Path) -> None:
    """Norms without ties have the same length, so many sums are equal and must stay equal after rounding."""
    random = np.random.default_rng(9)
    vectors = [random.permutation(64).astype(np.float32) for _ in range(6)]
    orders = {"a": vectors, "b": vectors[::-1], "c": [vectors[n] for n in (3, 0, 5, 1, 4, 2)]}
    models = {name: {(n, INPUT): one for n, one in enumerate(order)} for name, order in orders.items()}
    with_last = {name: {**of, (11, POST): vectors[0]} for name, of in models.items()}
    with open_catalog(write_lake(tmp_path / "lake", with_last)) as connection:
        assert len(connection.sql("select distinct bits from sketches").fetchall()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("width", "sums"), [(64, 4), (100, 4), (1024, 4), (1025, 1)])
def test_a_sketch_has_half_of_its_bits_set_and_more_sums_where_the_model_is_narrow(
    tmp_path: Path, width: int, sums: int
) -> None:
    random = np.random.default_rng(7)
    keys = [(layer, kind) for layer in range(2) for kind in (INPUT, POST)]
    model = {key: random.normal(1, 0.1, width).astype(np.float32) for key in keys}
    lake = write_lake(tmp_path / "lake", {"a": model})
    [row] = pq.read_table(lake.file("sketches", "a")).to_pylist()
    digits = "".join(f"{bits % 2**64:064b}" for bits in row["bits"])
    assert set(digits[sums * width :]) <= {"0"}
    assert len(digits) - sums * width < 64
    ranks = {key: average_ranks(values.astype(float)) for key, values in model.items()}
    added = [ranks[0, INPUT], ranks[1, INPUT], ranks[0, POST], ranks[1, POST]]
    for part, total in enumerate(added if sums == 4 else [sum(added)]):
        above = np.array(list(digits[part * width : (part + 1) * width])) == "1"
        assert above.tolist() == (total > np.median(total)).tolist()


def test_a_matrix_is_packed_as_one_long_vector_without_ranks(tmp_path: Path) -> None:
    values = bf16(np.random.default_rng(3).normal(0, 0.03, 300_000))
    source = tmp_path / "projections.parquet"
    with projections_writer(source, "a", {}) as writer:
        for begin in range(0, len(values), 131_072):
            writer.write(10, "k_proj", begin, values[begin : begin + 131_072])
    write_matrix_features(source, tmp_path / "out.parquet", {})
    [row] = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert (row["d"], row["ranks"]) == (300_000, None)
    assert row["std"] == pytest.approx(values.astype(float).std(), rel=1e-12)
    assert row["weights"] == values.tolist()
