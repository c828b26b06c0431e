"""The registry of tables is the only place that lists tables."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from analysis.publish.tables import tables_of
from tests.sql.gathering import gather
from tests.sql.lakes import random_model, tiny_models, write_lake, write_whole
from warehouse import embedded, tables
from warehouse.catalog.catalog import build_catalog, open_catalog
from warehouse.catalog.definitions import read_query
from warehouse.features.build import build_features
from warehouse.features.vectors import unpacked
from warehouse.integrity.check import check_lake
from warehouse.integrity.inspection import known_schema
from warehouse.lake import Lake
from warehouse.rows import ModelRow, SliceRow, TensorRow
from warehouse.tables import CSV, DERIVED, PER_MODEL, README, STORED, TABLES, updated

WAREHOUSE = Path(tables.__file__).parent


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)})


def test_every_table_has_a_view_with_its_columns_in_a_lake_without_its_files(lake: Lake) -> None:
    with open_catalog(lake) as connection:
        for name, table in TABLES.items():
            found = connection.sql(f"from files.{name}")
            kinds = [str(kind).replace("TIMESTAMP WITH TIME ZONE", "timestamptz") for kind in found.types]
            assert dict(zip(found.columns, map(str.lower, kinds), strict=True)) == table.columns, name


def test_every_table_can_be_inspected_and_described() -> None:
    for name in STORED:
        assert [one[0] for one in known_schema(name)[1:] if one[0] in TABLES[name].columns]
    for name, table in TABLES.items():
        assert table.grain.startswith("one row per "), name
        assert table.demands.keys() | table.notes.keys() <= table.columns.keys(), name
        assert not table.list_of_d or "d" in table.columns, name
    for name in CSV:
        assert TABLES[name].path.is_file()


@pytest.mark.parametrize(
    ("row", "table"), [(ModelRow, "models"), (TensorRow, "tensors"), (SliceRow, "slices")]
)
def test_rows_in_python_have_the_columns_of_their_table(row: type, table: str) -> None:
    own = [field.name for field in fields(row)]
    assert own in (list(TABLES[table].columns), list(TABLES[table].columns)[1:])


def test_queries_of_derived_tables_give_the_declared_columns(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", tiny_models())
    vectors = [
        one for name in ("base", "noisy") for batch in unpacked(lake.file("norms", name)) for one in batch
    ]
    found = build_features(vectors, [lake.model("base"), lake.model("noisy")])
    assert found.keys() == set(DERIVED)
    for table, rows in found.items():
        assert rows.schema == TABLES[table].schema
    for table in ("detrended_ranks", "sketches"):
        assert set(re.findall(r"\w+", read_query(f"features/{table}"))) >= TABLES[table].columns.keys()


def test_the_readme_has_the_current_table_of_tables() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == updated(text), "run `just dictionary`"
    assert all(f"| `{name}` |" in text for name in TABLES)


def test_shipped_files_have_the_declared_columns() -> None:
    for name, table in embedded.SHIPPED.items():
        names = pq.read_schema(embedded.embedded_file(name)).names
        assert set(table.columns) - set(names) <= {*embedded.OF_FILES}
        assert set(names) <= table.columns.keys()


def test_a_new_table_of_a_lake_reaches_catalog_check_and_publishing(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {"model": "varchar", "remark": "varchar"}
    new = replace(
        TABLES["toy_losses"],
        name="remarks",
        grain="one row per remark",
        columns=columns,
        notes={"remark": "text"},
    )
    monkeypatch.setitem(TABLES, "remarks", new)
    for module in ("warehouse.tables", "warehouse.catalog.catalog", "warehouse.integrity.check"):
        monkeypatch.setattr(f"{module}.WHOLE_LAKE", (*tables.WHOLE_LAKE, "remarks"))
    monkeypatch.setattr("analysis.publish.tables.STORED", (*STORED, "remarks"))
    write_whole(lake, "remarks", new.empty())
    build_catalog(lake)
    with open_catalog(lake) as connection:
        assert connection.sql("from files.remarks").columns == list(new.columns)
        assert "remarks" in {table.name for table in tables_of(connection, lake)}
    [file] = lake.folder.glob("remarks/*.parquet")
    file.write_bytes(file.read_bytes()[:-1])
    assert f"remarks/{file.name}" in check_lake(lake).damaged


def test_bundles_and_damage_checks_know_every_table_of_a_model(lake: Lake) -> None:
    gather(lake)
    assert {path.parent.name for path in lake.folder.glob("*/00001.parquet")} == set(PER_MODEL)
    lake.file(PER_MODEL[-1], "00001").unlink()
    assert f"{PER_MODEL[-1]}/00001.parquet is missing" in check_lake(lake).damaged["bundle 00001"]


def test_no_other_module_lists_tables() -> None:
    """Tuples and sets of three table names or more, which would miss a new table."""
    name = "|".join(STORED)
    listed = re.compile(rf'[(\[{{](?:\s*"(?:{name})",?){{3,}}\s*[)\]}}]')
    for path in WAREHOUSE.rglob("*.py"):
        found = listed.findall(path.read_text(encoding="utf-8"))
        assert not found or path.name == "check.py", f"{path}: {found}"
