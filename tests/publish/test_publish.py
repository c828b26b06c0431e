"""A published folder describes its content, has checksums for it, and can be read as a lake."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import mlcroissant
import pyarrow.parquet as pq
import pytest
from huggingface_hub import DatasetCard

from analysis.__main__ import main
from tests.sql.lakes import POST, random_model, tiny_models, write_lake
from warehouse.catalog.catalog import fingerprint_of, open_catalog
from warehouse.catalog.definitions import column_descriptions, definitions
from warehouse.lake import Lake, existing_lake, remember_current
from warehouse.tables import STORED, TABLES


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake `made` of two models below `data`, and beside it the folder it was published to."""
    root = tmp_path_factory.mktemp("published")
    tiny = tiny_models()
    projections = {"base": {(1, "k_proj"): random_model(7)[1, POST]}}
    models = {name: tiny[name] for name in ("base", "noisy")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(root / "data"))
        remember_current(write_lake(root / "data" / "made", models, "replica", projections=projections))
        assert main(["publish", "made", str(root / "out" / "norms of two")]) == 0
    return root


@pytest.fixture
def lake(published: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    monkeypatch.setenv("NORMHOUSE_DATA", str(published / "data"))
    return Lake("made", published / "data" / "made")


@pytest.fixture
def folder(lake: Lake) -> Path:
    return lake.path.parents[1] / "out" / "norms of two"


@pytest.mark.slow
def test_everything_that_has_a_file_is_there_and_its_checksum_agrees(folder: Path, lake: Lake) -> None:
    subprocess.run(["sha256sum", "--check", "--strict", "checksums.sha256"], cwd=folder, check=True)
    listed = {line.split("  ", 1)[1] for line in (folder / "checksums.sha256").read_text().splitlines()}
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert there - listed == {"checksums.sha256"}
    assert {file for file in there if file.endswith(".parquet")} == {
        path.relative_to(lake.folder).as_posix() for path in lake.folder.rglob("*.parquet")
    }


def test_the_dictionary_says_of_every_column_what_the_catalog_says(folder: Path, lake: Lake) -> None:
    with (folder / "dictionary.csv").open(encoding="utf-8", newline="") as file:
        described = {(row["table"], row["column"]): row["description"] for row in csv.DictReader(file)}
    stored = {
        (table.name, column)
        for table in folder.iterdir()
        if table.is_dir()
        for column in pq.read_table(table).column_names
    }
    assert described.keys() == stored
    with open_catalog(lake) as connection:
        comments = connection.sql(
            "select table_name, column_name, comment from duckdb_columns() where schema_name = 'main'"
        ).fetchall()
    in_catalog = {(table, column): comment for table, column, comment in comments}
    for key, text in described.items():
        assert text == in_catalog.get(key, text)
        assert f"| `{key[1]}` |" in (folder / "DICTIONARY.md").read_text()


@pytest.mark.parametrize("table", STORED)
def test_every_table_a_lake_may_have_is_described(table: str) -> None:
    known = column_descriptions()
    own = {one.name: one.columns for one in definitions()}
    assert "one row per" in TABLES[table].grain
    for column in TABLES[table].columns:
        assert TABLES[table].notes.get(column) or own.get(table, {}).get(column) or known.get(column), (
            f"{table}.{column}: sql/columns.txt"
        )


# mlcroissant uses deprecated functions of rdflib and pandas
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_mlcroissant_accepts_the_metadata_and_reads_every_table_by_it(folder: Path) -> None:
    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not dataset.metadata.issues.errors
    assert not dataset.metadata.issues.warnings
    for record_set in dataset.metadata.record_sets:
        read = sum(1 for _ in dataset.records(record_set=record_set.id))
        assert read == pq.read_table(folder / record_set.id).num_rows


def test_the_card_has_a_config_for_each_table(folder: Path) -> None:
    card = DatasetCard.load(folder / "README.md").data.to_dict()
    configs = {config["config_name"]: config["data_files"] for config in card["configs"]}
    assert configs.keys() == {path.name for path in folder.iterdir() if path.is_dir()}
    for name, pattern in configs.items():
        assert len(list(folder.glob(pattern))) == len(list((folder / name).rglob("*.parquet")))
    assert card["license"] == "other"
    assert (folder / card["license_link"]).exists()


def test_synthetic_models_are_called_so_wherever_the_folder_is_described(folder: Path) -> None:
    caution = "no evidence about the released weights"
    assert caution in json.loads((folder / "croissant.json").read_text())["description"]
    for name in ("README.md", "DICTIONARY.md", "LICENCES.md"):
        assert caution in (folder / name).read_text(), name


@pytest.mark.slow
def test_a_lake_of_other_models_has_no_such_caution(data: Path, tmp_path: Path) -> None:
    write_lake(data / "own", {"mine": random_model(3)}, "local")
    assert main(["publish", "own", str(tmp_path / "own")]) == 0
    assert "caution" not in (tmp_path / "own" / "README.md").read_text().lower()


@pytest.mark.slow
def test_the_folder_is_a_lake_again_and_stays_as_it_was(
    folder: Path, lake: Lake, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    capsys.readouterr()
    query = "select layer, ln_type, cosine from compare('base', 'noisy') order by all"
    assert main(["sql", query, "csv", "--lake", str(folder)]) == 0
    from_folder = capsys.readouterr().out
    assert main(["sql", query, "csv"]) == 0
    assert from_folder == capsys.readouterr().out
    assert fingerprint_of(existing_lake(str(folder))) == fingerprint_of(lake)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["publish", "made", "{folder}"], "is not empty: name a folder that is new or empty"),
        (["publish", "nowhere", "{folder}/x"], "no lake 'nowhere'"),
        (["publish", "{folder}", "{folder}/x"], "is published already: copy the folder"),
        (["sql", "from models", "--lake", "{folder}/norms"], "no lake in"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    capsys.readouterr()
    assert main([one.format(folder=folder) for one in arguments]) == 1
    assert message in capsys.readouterr().err.splitlines()[-1]
    assert not (folder / "x").exists()


def test_what_others_measured_on_released_weights_is_beside_the_tables(folder: Path) -> None:
    assert (folder / "measured.csv").read_bytes() == TABLES["measured"].path.read_bytes()
