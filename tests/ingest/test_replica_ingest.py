"""`just ingest replica`, and `just ingest` without a network."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from ingest.__main__ import main
from ingest.cli import parse
from ingest.registry import registry
from ingest.replica.values import norm_vector
from tests.ingest.running import stored, tree
from warehouse.lake import Lake

# layers with an input norm, width, and vectors in all
EXPECTED = {
    "solar": (48, 4096, 97),
    "glm": (47, 4096, 98),
    "intellect": (46, 4096, 93),
    "phi": (32, 4096, 130),
    "mixtral": (32, 4096, 65),
    "mistral_7b": (32, 4096, 65),
    "yi_6b": (32, 4096, 65),
    "yi_9b": (48, 4096, 97),
    "internlm2_7b": (32, 4096, 65),
    "qwen15_7b": (32, 4096, 65),
    "qwen3_4b": (36, 2560, 145),
    "qwen3_14b": (40, 5120, 161),
}


@pytest.fixture
def lake(replica_lake: Lake) -> Path:
    return replica_lake.path


def test_all_twelve_models_are_there_with_their_layers_and_widths(lake: Path) -> None:
    rows = duckdb.execute(
        f"""
        with vectors as (
            select model, layer, ln_type, count(*) as width
            from '{lake}/norms/*.parquet' group by all
        )
        select
            model,
            count(*) filter (where ln_type = 'input_layernorm'),
            max(width),
            count(*)
        from vectors group by model
        """
    ).fetchall()
    assert {model: numbers for model, *numbers in rows} == {
        model: list(row) for model, row in EXPECTED.items()
    }


@pytest.mark.slow
def test_duckdb_polars_and_pyarrow_see_the_same_five_columns_and_counts(lake: Path) -> None:
    columns = ["model", "layer", "ln_type", "dim", "value"]
    glob = f"{lake}/norms/*.parquet"
    by_sql = duckdb.execute(f"select model, ln_type, count(*) from '{glob}' group by all").fetchall()
    frame = pl.scan_parquet(lake / "norms")
    by_polars = frame.group_by("model", "ln_type").len().collect().rows()
    table = ds.dataset(lake / "norms", partitioning="hive").to_table()
    by_arrow = table.group_by(["model", "ln_type"]).aggregate([([], "count_all")]).to_pylist()
    described = duckdb.execute(f"select column_name from (describe from '{glob}')").fetchall()
    assert [name for (name,) in described] == columns
    assert frame.collect_schema().names() == columns
    assert table.column_names == columns
    assert sorted(by_sql) == sorted(by_polars)
    assert sorted(by_sql) == sorted((row["model"], row["ln_type"], row["count_all"]) for row in by_arrow)


def test_a_file_copied_alone_keeps_its_model_and_says_where_it_is_from(lake: Path, tmp_path: Path) -> None:
    file = lake / "norms" / "glm.parquet"
    moved = tmp_path / "alone.parquet"
    moved.write_bytes(file.read_bytes())
    assert duckdb.execute(f"select distinct model from '{moved}'").fetchall() == [("glm",)]
    rows = duckdb.execute(f"select decode(key), decode(value) from parquet_kv_metadata('{moved}')").fetchall()
    metadata = dict(rows)
    assert metadata["normhouse.repo"] == "zai-org/GLM-4.5-Air"
    assert metadata["normhouse.source"] == "replica"
    assert len(metadata["normhouse.commit"]) == 40


@pytest.mark.slow
def test_rows_are_sorted_and_stored_values_are_the_served_ones(lake: Path) -> None:
    files = list(lake.glob("norms/*.parquet"))
    assert len(files) == len(EXPECTED)
    for file in files:
        rows = pq.ParquetFile(file).read()
        assert rows.equals(rows.sort_by([(column, "ascending") for column in ("ln_type", "layer", "dim")]))
    for alias, tensor in [
        ("phi", "model.layers.3.input_layernorm.bias"),
        ("glm", "model.layers.46.hnorm.weight"),
        ("internlm2_7b", "model.layers.31.ffn_norm.weight"),
    ]:
        assert (stored(lake, alias)[tensor] == norm_vector(registry()[alias].repo, tensor)).all()


def test_a_value_costs_less_than_a_byte(lake: Path) -> None:
    size = sum(path.stat().st_size for path in lake.glob("norms/*.parquet"))
    values = duckdb.execute(f"select count(*) from '{lake}/norms/*.parquet'").fetchone()
    assert values is not None
    assert size / values[0] <= 1.0


def test_every_model_says_that_it_is_a_replica(lake: Path) -> None:
    rows = duckdb.execute(f"select distinct source, dtype from '{lake}/models/*.parquet'").fetchall()
    assert rows == [("replica", "BF16")]


@pytest.mark.slow
def test_projections_are_streamed_into_their_own_table(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replica", "yi_6b", "internlm2_7b", "--projections", "10"]) == 0
    assert (
        "internlm2_7b: 65 vectors, 266,240 norm values; no k_proj and v_proj in layers 10"
        in capsys.readouterr().err
    )
    rows = duckdb.execute(
        f"""
        select
            model, layer, ln_type, count(*), sum(dim)::bigint, max(dim),
            stddev_pop(value) between 0.015 and 0.055
        from '{data}/replica/projections/*.parquet' group by all order by all
        """
    ).fetchall()
    cells = 512 * 4096
    sum_of_dims = cells * (cells - 1) // 2
    assert rows == [("yi_6b", 10, kind, cells, sum_of_dims, cells - 1, True) for kind in ("k_proj", "v_proj")]
    before = tree(data)
    assert main(["replica", "yi_6b", "internlm2_7b", "--projections", "10", "--quiet"]) == 0
    assert tree(data) == before


def test_options_may_stand_between_models() -> None:
    options = parse(["replica", "--lake", "one", "qwen3_4b", "--quiet", "phi"])
    assert (options.lake, options.models, options.quiet) == ("one", ["qwen3_4b", "phi"], True)


def test_a_word_that_is_no_option_is_still_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["replica", "--lake", "x", "glm", "--nothing"], ["serve", "--port", "0", "glm"]):
        with pytest.raises(SystemExit, match="2"):
            main(words)
        assert "unrecognized arguments: " in capsys.readouterr().err


@pytest.mark.slow
def test_without_a_network_auto_says_loudly_that_it_used_the_replica(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert main(["auto", "qwen3_4b", "--quiet"]) == 0
    errors = capsys.readouterr().err
    assert "http://127.0.0.1:9 does not answer: using the embedded replica instead of the hub" in errors
    assert "REPLICA: these weights are synthetic" in errors
    assert (data / "current").read_text() == "replica\n"


@pytest.mark.slow
def test_without_a_network_auto_refuses_what_the_replica_does_not_have(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert main(["auto", "some-lab/other"]) == 1
    assert "the replica does not have some-lab/other" in capsys.readouterr().err
