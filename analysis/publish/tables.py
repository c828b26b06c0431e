"""What is published: the tables of a lake, and their Croissant metadata (mlcommons.org/croissant/1.0).

Descriptions are those of the catalog, from the headers of `sql/views` and from `sql/columns.txt`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from warehouse.catalog.definitions import column_descriptions, definitions
from warehouse.lake import Lake
from warehouse.paths import relative_file
from warehouse.tables import STORED, TABLES

PARQUET = "application/x-parquet"
CONTEXT: Mapping[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TYPES = {
    "VARCHAR": "sc:Text",
    "BOOLEAN": "sc:Boolean",
    "FLOAT": "sc:Float",
    "DOUBLE": "sc:Float",
    "TIMESTAMP WITH TIME ZONE": "sc:DateTime",
}


@dataclass(frozen=True)
class Column:
    """One column; `type` is DuckDB's."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class Table:
    """One table and the files it is in, by their paths in the folder."""

    name: str
    description: str
    columns: tuple[Column, ...]
    rows: int
    files: tuple[str, ...]

    @property
    def pattern(self) -> str:
        return f"{self.name}/*.parquet"


def tables_of(connection: duckdb.DuckDBPyConnection, lake: Lake) -> list[Table]:
    """Those that have a file, in the order in which lakes store them."""
    own = {one.name: one.columns for one in definitions()}
    known = column_descriptions()
    found = []
    for name in STORED:
        files = _paths(lake, name)
        if files:
            relation = connection.sql(f"from files.{name}")
            types = dict(zip(relation.columns, map(str, relation.types), strict=True))
            described = tuple(
                Column(
                    column,
                    types[column],
                    TABLES[name].notes.get(column) or own.get(name, {}).get(column) or known[column],
                )
                for column in TABLES[name].schema.names
            )
            [(rows,)] = relation.count("*").fetchall()
            found.append(Table(name, TABLES[name].grain, described, rows, tuple(files)))
    return found


def _paths(lake: Lake, table: str) -> list[str]:
    """Without those of models that do not count because their row of `models` is gone."""
    counted = {*lake.model_names(), *lake.bundles()}
    stems = (stem for stem in lake.stems(table) if TABLES[table].stored == "whole lake" or stem in counted)
    return [relative_file(table, stem) for stem in stems]


def croissant(
    name: str,
    description: str,
    licences: Sequence[str],
    published: str,
    version: str,
    tables: Sequence[Table],
) -> dict[str, object]:
    """The JSON-LD object; its paths are relative to the published folder."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": description,
        "license": list(licences),
        "version": version,
        "datePublished": published,
        "creator": {"@type": "sc:Organization", "name": "The normhouse developers"},
        "citeAs": f"{name}, written by normhouse {version}; cite the repositories of the models as well",
        "isLiveDataset": False,
        "distribution": [_files(table) for table in tables],
        "recordSet": [_records(table) for table in tables],
    }


def _files(table: Table) -> dict[str, object]:
    return {
        "@type": "cr:FileSet",
        "@id": f"{table.name}-files",
        "name": f"{table.name}-files",
        "description": f"The files of the table {table.name}; checksums.sha256 has the checksum of each.",
        "encodingFormat": PARQUET,
        "includes": table.pattern,
    }


def _records(table: Table) -> dict[str, object]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description,
        # mlcroissant reads no lists of structs out of Parquet; checksums.sha256 says what models.files does
        "field": [_field(table, column) for column in table.columns if "STRUCT" not in column.type],
    }


def _field(table: Table, column: Column) -> dict[str, object]:
    element = column.type.removesuffix("[]")
    return {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column.name}",
        "name": column.name,
        "description": column.description,
        "dataType": TYPES.get(element, "sc:Integer"),
        **({"repeated": True} if column.type != element else {}),
        "source": {"fileSet": {"@id": f"{table.name}-files"}, "extract": {"column": column.name}},
    }
