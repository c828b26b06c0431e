"""The registry of tables: tables.toml declares each once, and everything else follows from that.

From a declaration follow the Parquet schema and writer options, the view in the catalog (empty if a lake
has no such file), the checks of our lakes and of foreign ones, compaction, publishing, and the data
dictionary in README.md, which `just dictionary` writes. To add a table, declare it there and write the code
that fills it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pyarrow as pa

SQL = Path(__file__).parents[1] / "sql"

Stored = Literal["per model", "some models", "whole lake", "csv"]

_BETWEEN_COLUMNS = re.compile(r",\s+(?![^(]*\))")


@dataclass(frozen=True)
class Table:
    """One table: what it holds, where, and how it is written."""

    name: str
    grain: str
    """What one row is, in words."""
    stored: Stored
    columns: Mapping[str, str]
    """DuckDB types by name, in the order that readers see."""
    write: Mapping[str, Any]
    """Options of the Parquet writer."""
    demands: Mapping[str, str]
    """By column, an SQL condition that every row of a foreign lake must meet."""
    is_derived: bool = False
    """Computed from the norms of its model (warehouse/features)."""
    is_shipped: bool = False
    """In `warehouse/embedded`."""
    list_of_d: str = ""
    """A list column that has `d` values in each row."""
    values_of: str = ""
    """The table whose lists have one value for each row of this one."""
    group_cost: Literal["row", "value", "vector", "pair"] = "row"
    """What fills a row group of a bundle (warehouse/storage/compaction.py)."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of columns, where they differ from those of `sql/columns.txt`."""
    csv: str = ""
    """The file below `sql/`."""

    @cached_property
    def schema(self) -> pa.Schema:
        import pyarrow as pa  # takes longer to import than most queries take to run

        return pa.schema([(name, _arrow_type(kind)) for name, kind in self.columns.items()])

    def empty(self) -> pa.Table:
        return self.schema.empty_table()

    @property
    def path(self) -> Path:
        """Of its CSV file."""
        return SQL / self.csv

    @property
    def is_sealed(self) -> bool:
        """Whether its files hold their own digest, because no other file holds it."""
        return self.name == "models" or self.stored == "whole lake"


def _tables(declared: Mapping[str, dict[str, Any]]) -> dict[str, Table]:
    return {name: _table(name, declared[entry.get("like", name)], entry) for name, entry in declared.items()}


def _table(name: str, model: Mapping[str, Any], own: Mapping[str, Any]) -> Table:
    """From its entry, completed with that of the table that it is like."""
    entry = {**model, **own}
    entry.pop("like", None)
    columns = dict(
        one.split(" ", 1) for one in _BETWEEN_COLUMNS.split(" ".join(entry.pop("columns").split()))
    )
    demands = {column: "{0} is not null" for column in entry.pop("never_null", "").split(", ") if column}
    for names, rule in entry.pop("demands", {}).items():
        demands |= dict.fromkeys(names.split(", "), rule)
    write = {"compression": "zstd", "store_schema": False, **model.get("write", {}), **own.get("write", {})}
    if write["compression"] != "none":
        write.setdefault("compression_level", 9)
    entry["write"] = write
    return Table(
        name=name,
        columns=columns,
        demands={column: rule.format(f'"{column}"') for column, rule in demands.items()},
        **entry,
    )


def _arrow_type(kind: str) -> pa.DataType:
    import pyarrow as pa

    if kind.endswith("[]"):
        return pa.list_(_arrow_type(kind[:-2]))
    if kind.startswith("struct("):
        members = (one.split() for one in kind.removeprefix("struct(").removesuffix(")").split(", "))
        return pa.struct([(name, _arrow_type(of)) for name, of in members])
    known: dict[str, pa.DataType] = {
        "varchar": pa.string(),
        "boolean": pa.bool_(),
        "smallint": pa.int16(),
        "integer": pa.int32(),
        "bigint": pa.int64(),
        "float": pa.float32(),
        "double": pa.float64(),
        "timestamptz": pa.timestamp("s", tz="UTC"),
    }
    return known[kind]


def _names(stored: str) -> tuple[str, ...]:
    return tuple(name for name, table in TABLES.items() if table.stored == stored)


TABLES = _tables(tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8")))

PER_MODEL, SOME_MODELS = _names("per model"), _names("some models")
WHOLE_LAKE, CSV = _names("whole lake"), _names("csv")
STORED = (*PER_MODEL, *SOME_MODELS, *WHOLE_LAKE)
DERIVED = tuple(name for name, table in TABLES.items() if table.is_derived)

# Results of `just calibrate` for the whole lake: queries define their columns, and no catalog has them.
CALIBRATION = ("calibration_null", "calibration_false_positives", "calibration_transformations")

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- written by `just dictionary` -->\n", "<!-- end of what it writes -->"


def dictionary() -> str:
    """One line per table in Markdown."""
    lines = ["| table | one row per | stored | columns |", "| --- | --- | --- | --- |"]
    for name, table in TABLES.items():
        grain = table.grain.removeprefix("one row per ")
        stored = f"`sql/{table.csv}`" if table.csv else table.stored
        lines.append(f"| `{name}` | {grain} | {stored} | {', '.join(table.columns)} |")
    return "\n".join(lines) + "\n"


def updated(readme: str) -> str:
    """The text with the current table between its two markers."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{dictionary()}{END}{after}"


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
