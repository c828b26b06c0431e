"""Copies the files of a lake to a folder, without columns that this version does not know."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.lake import Lake
from warehouse.paths import is_bundle
from warehouse.rows import StoredFile
from warehouse.storage.bundles import FILES
from warehouse.storage.digests import stored_file
from warehouse.storage.parquet import (
    damaged,
    read_provenance,
    read_sealed,
    sealed_content,
    table_writer,
    write_model,
)
from warehouse.tables import TABLES


def copy_files(lake: Lake, files: Sequence[str], folder: Path) -> None:
    """Copy these files. One that has other columns is written without them, and so gets another digest."""
    written: dict[str, StoredFile] = {}
    # files of `models` last, because they have the digests of the others
    for file in sorted(files, key=lambda file: file.startswith("models/")):
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        table, stem = target.parent.name, target.stem
        is_whole = TABLES[table].stored == "whole lake"
        if is_whole:
            sealed_content(lake.folder / file)  # of a model's files, the caller has compared the digests
        own = [one for one in written.values() if Path(one["file"]).stem == stem]
        has_others = _has_other_columns(lake.folder / file, table)
        if table == "models" and (own or has_others):
            _write_models(lake, stem, target, own)
        elif has_others:
            _write_known(lake.folder / file, table, target)
            written[file] = stored_file(file, target)
        else:
            shutil.copyfile(lake.folder / file, target)


def _has_other_columns(path: Path, table: str) -> bool:
    """LakeError if a column of the table is missing."""
    try:
        names = pq.read_schema(path).names
    except (OSError, pa.ArrowException) as error:
        raise damaged(path, " ".join(str(error).split())) from error
    known = TABLES[table].schema.names
    if missing := [name for name in known if name not in names]:
        raise damaged(path, f"it has no column {missing[0]}")
    return bool(names != known)


def _write_known(path: Path, table: str, target: Path) -> None:
    """Row group by row group."""
    source = pq.ParquetFile(path, page_checksum_verification=True)
    schema = TABLES[table].schema
    with table_writer(target, TABLES[table], read_provenance(path)) as writer:
        for group in range(source.num_row_groups):
            rows = source.read_row_group(group, columns=schema.names)
            writer.write_table(rows.select(schema.names).cast(schema), row_group_size=max(rows.num_rows, 1))


def _write_models(lake: Lake, stem: str, target: Path, written: Sequence[StoredFile]) -> None:
    """Copy a file of `models` with the new digests of the files that were written again."""
    source = lake.file("models", stem)
    changed = {one["file"]: one for one in written}
    about = read_provenance(source)
    if not is_bundle(stem):
        row = lake.model(stem)
        files = [changed.get(one["file"], one) for one in row.files or ()]
        write_model(target, replace(row, files=files), about)
        return
    about[FILES] = json.dumps([changed.get(one["file"], one) for one in json.loads(about[FILES])])
    schema = TABLES["models"].schema
    with table_writer(target, TABLES["models"], about) as writer:
        writer.write_table(read_sealed(source).select(schema.names).cast(schema))
