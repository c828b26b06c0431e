"""What the documents say is read from `sql/documents/`, by every lake, at every run."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import duckdb
import pytest

from analysis.__main__ import main
from tests.sql.lakes import random_model, write_lake
from warehouse import documents
from warehouse.catalog import catalog, definitions
from warehouse.catalog.catalog import ensure_catalog, open_catalog
from warehouse.documents import read_printed, read_rows
from warehouse.errors import FormatError
from warehouse.lake import Lake, remember_current
from warehouse.tables import TABLES


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    """One model, and a copy of all SQL whose documents a test may change."""
    monkeypatch.setenv("NORMHOUSE_DATA", str(tmp_path / "data"))
    lake = write_lake(tmp_path / "data" / "local", {"solar": random_model(1)})
    remember_current(lake)
    return lake


@pytest.fixture
def figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of `sql/` in the place of the project's; its printed.csv."""
    copied = tmp_path / "sql"
    shutil.copytree(definitions.SQL, copied)
    for module, name, value in (
        ("warehouse.catalog.definitions", "SQL", copied),
        ("warehouse.catalog.catalog", "SQL", copied),
        ("warehouse.tables", "SQL", copied),
    ):
        monkeypatch.setattr(f"{module}.{name}", value)
    return copied / "documents" / "printed.csv"


@pytest.mark.slow
def test_the_catalog_reads_what_the_checking_reader_reads(lake: Lake) -> None:
    with open_catalog(lake) as connection:
        assert connection.sql("from printed").to_arrow_table().to_pylist() == read_printed().to_pylist()
        told = connection.sql("from documents").to_arrow_table().to_pylist()
    assert told == [row for _, row in read_rows(TABLES["documents"].path, tuple(TABLES["documents"].columns))]


@pytest.mark.slow
def test_no_lake_has_a_copy_of_the_figures(lake: Lake) -> None:
    ensure_catalog(lake)
    assert not (lake.path / "printed").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("lake")
def test_a_changed_figure_is_judged_at_the_next_run(
    figures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["claims", "critique.vocabulary", "--json"]) == 0
    before = capsys.readouterr().out
    assert '"expected": 196000.0' in before
    text = figures.read_text(encoding="utf-8")
    figures.write_text(text.replace(",vocab_size,≈,196e3,", ",vocab_size,≈,197e3,"), encoding="utf-8")
    catalog._definitions_signature.cache_clear()  # as in a new process
    assert main(["claims", "critique.vocabulary", "--json"]) == 0
    after = capsys.readouterr().out
    assert '"expected": 197000.0' in after


@pytest.mark.slow
@pytest.mark.usefixtures("lake")
def test_a_figure_that_cannot_be_read_is_named_by_its_line(
    figures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with figures.open("a", encoding="utf-8") as file:
        file.write("hearsay,1,some.item,,,,,,cosine,=,0.9,,,0.05,,,,\n")
    line = len(figures.read_text(encoding="utf-8").splitlines())
    assert main(["claims"]) == 1
    said = capsys.readouterr().err
    assert f"printed.csv line {line}: unknown document 'hearsay'" in said
    with pytest.raises(FormatError, match=f"line {line}"):
        read_printed(TABLES["printed"].path)


@pytest.mark.slow
def test_running_claims_leaves_the_callers_tables_alone(lake: Lake) -> None:
    from analysis.claims.claim_file import read_claims
    from analysis.claims.run import run_claims

    claims, _ = read_claims()
    with open_catalog(lake) as connection:
        run_claims(connection, [claim for claim in claims if claim.id == "printed.background"])
        assert temporary(connection) == []


def temporary(connection: duckdb.DuckDBPyConnection) -> list[str]:
    query = "select table_name from duckdb_tables() where temporary"
    return [str(name) for (name,) in connection.sql(query).fetchall()]


@pytest.mark.slow
def test_what_others_measured_is_in_every_catalog_as_it_is_in_the_file(lake: Lake) -> None:
    with TABLES["measured"].path.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    with open_catalog(lake) as connection:
        stored = connection.sql("from measured").to_arrow_table().to_pylist()
    assert len(stored) > 2_000
    assert [row | {"value": float(row["value"])} for row in written] == [
        {
            name: "" if value is None else value if name == "value" else str(value)
            for name, value in row.items()
        }
        for row in stored
    ]


@pytest.mark.slow
def test_each_measurement_names_a_listed_source_and_is_there_once(lake: Lake) -> None:
    with open_catalog(lake) as connection:
        rows = connection.sql("from measured").to_arrow_table().to_pylist()
    for row in rows:
        source = documents.sources()[row["source"]]
        assert source.kind == "measurement"
        assert row["commit"] == source.commit
        assert row["file"].startswith(source.file)
        assert (row["model_b"] is None) == (row["layer_b"] is None) == (row["metric"] in ("mean", "std"))
    without_values = [tuple(value for name, value in row.items() if name != "value") for row in rows]
    assert len(set(without_values)) == len(rows)


@pytest.mark.slow
def test_two_groups_measured_the_same_cosines(lake: Lake) -> None:
    """46 layers and two norms each, from two scripts; single precision differs in the seventh digit."""
    query = """
        select count(*), max(abs(a.value - b.value))
        from measured as a
        join measured as b using (model_a, layer_a, model_b, layer_b, ln_type, metric)
        where a.source = 'origin' and b.source = 'sanity_outputs' and metric = 'cosine'
    """
    with open_catalog(lake) as connection:
        [(pairs, apart)] = connection.sql(query).fetchall()
    assert pairs == 92
    assert apart < 1e-6


@pytest.mark.slow
def test_measured_means_and_deviations_explain_the_measured_cosines(lake: Lake) -> None:
    """cosine = u·u + pearson·v·v holds exactly, so figures that were copied wrongly would break it."""
    query = """
        with one as (
            select
                model_a as model, layer_a as layer, ln_type,
                max(value) filter (metric = 'mean') as mean, max(value) filter (metric = 'std') as std
            from measured
            where model_b is null
            group by all
        ),
        pair as (
            select
                layer_a as layer, ln_type,
                max(value) filter (metric = 'cosine') as cosine,
                max(value) filter (metric = 'pearson') as pearson
            from measured
            where source = 'sanity_outputs' and model_b is not null
            group by all
        )
        select count(*), max(abs(
            (a.mean * b.mean + pair.pearson * a.std * b.std)
            / sqrt((a.mean ** 2 + a.std ** 2) * (b.mean ** 2 + b.std ** 2)) - pair.cosine
        ))
        from pair
        join one as a using (layer, ln_type)
        join one as b using (layer, ln_type)
        where a.model = 'solar' and b.model = 'glm'
    """
    with open_catalog(lake) as connection:
        [(pairs, apart)] = connection.sql(query).fetchall()
    assert pairs == 92
    assert apart < 1e-6
