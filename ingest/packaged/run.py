"""One run of `python -m ingest packaged`: out of the packages, into the lake, with what is known."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import pyarrow as pa

from ingest.packaged.folders import link_files, norms_of, stack_of, write_folder
from ingest.packaged.table import Packaged, packaged_models, parts
from ingest.packaged.truth import truth_rows
from ingest.pipeline import ingest_folder
from warehouse import VERSION
from warehouse.errors import UsageError, did_you_mean
from warehouse.lake import lake_at
from warehouse.paths import data_root
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.parquet import write_table
from warehouse.tables import TABLES

TRUTH_FILE = "packaged_truth/packaged_truth.parquet"


def bring(aliases: Sequence[str], lake_name: str) -> int:
    """How many models the lake got, stacks counted; nothing named means all of the table."""
    known = packaged_models()
    for alias in aliases:
        if alias not in known:
            raise UsageError(f"no packaged model {alias!r}: {did_you_mean(alias, known)}")
    models = [known[alias] for alias in aliases or known]
    folder = data_root() / ".packaged" / lake_name  # hidden from the list of lakes
    shutil.rmtree(folder, ignore_errors=True)
    for model in models:
        if model.format == "gguf":
            link_files(folder / model.alias, model)
            continue
        norms = norms_of(model)
        for part in parts([model]):
            write_folder(folder / part.alias, part, stack_of(norms, part.stack) if part.stack else norms)
    ingest_folder(folder, lake_name)
    _store_truth(lake_name, models)
    return sum(1 for _ in parts(models))


def _store_truth(lake_name: str, models: Sequence[Packaged]) -> None:
    lake = lake_at(lake_name)
    table = pa.Table.from_pylist(truth_rows(models), TABLES["packaged_truth"].schema)
    with write_lock(lake), new_commit(lake) as commit:
        provenance = {"made_by": "python -m ingest packaged", "tool_version": VERSION}
        write_table(commit.file(TRUTH_FILE), table, provenance)
        commit.publish()
