"""`just publish`: writes a lake as a folder to upload, under a temporary name until it is complete.

Texts of a lake come from model repositories and may hold anything, so markup and control characters in them
are escaped.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.lakes import announce
from analysis.publish.tables import Table, croissant, tables_of
from analysis.rows import about_lake, fetch_dicts, json_text
from warehouse import VERSION
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import counted, show
from warehouse.errors import LakeError, UsageError, plain
from warehouse.integrity.damage import refuse_damaged
from warehouse.lake import PUBLISHED, Lake, existing_lake
from warehouse.storage.commit import refuse_foreign
from warehouse.storage.parquet import read_sealed
from warehouse.tables import TABLES

CHECKSUMS = "checksums.sha256"
TEMPLATES = Path(__file__).parent / "templates"
UNKNOWN = "not stated"
# what Markdown reads as markup in the middle of a line
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
MARKUP = set("\\`*_[]|~$")
MODELS = """
select model, repo, commit, source, licence, left(ingested_at::varchar, 10) as ingested
from models order by model
"""


def publish(lake_name: str, folder: Path) -> int:
    lake = existing_lake(lake_name).pinned()
    if lake.is_published:
        raise UsageError(f"{lake.path} is published already: copy the folder")
    refuse_foreign(lake)
    target = folder.expanduser().resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{folder} is not empty: name a folder that is new or empty")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".publish.") as draft:
            tables = write_folder(lake, Path(draft) / "lake")
            if target.exists():
                target.rmdir()
            (Path(draft) / "lake").rename(target)
    except OSError as error:
        raise LakeError(
            f"cannot write {target} ({error.strerror or error}): check its rights and space"
        ) from error
    files = sum(len(table.files) for table in tables)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    show(f"{target}: {counted(len(tables), 'table')} in {counted(files, 'file')}, {size / 1e6:,.1f} MB")
    return 0


def write_folder(lake: Lake, folder: Path) -> list[Table]:
    """Write the files into `folder`, which must not exist yet."""
    refuse_damaged(lake, "nothing of it is published")
    with open_catalog(lake) as connection:
        announce(connection, lake)
        about = about_lake(connection)
        if not about["models"]:
            raise LakeError(
                f"lake {lake.name!r} has no models: `just ingest … --lake {lake.name}` brings some"
            )
        tables = tables_of(connection, lake)
        models = fetch_dicts(connection, MODELS)
    for table in tables:
        _copy(lake, table, folder)
    for name, text in texts(about, models, tables).items():
        (folder / name).write_text(text, encoding="utf-8")
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in paths]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    return tables


def _copy(lake: Lake, table: Table, folder: Path) -> None:
    """Refuses columns that no table of this version has, because the dictionary could not describe them."""
    (folder / table.name).mkdir(parents=True)
    known = TABLES[table.name]
    for file in table.files:
        path = lake.folder / file
        if known.stored == "whole lake":
            read_sealed(path)  # of a model's files, refuse_damaged has compared the digests
        if others := [name for name in pq.read_schema(path).names if name not in known.columns]:
            raise LakeError(
                f"{path} has a column {others[0]!r}, which {table.name} does not have, and nothing is "
                f"published: ingest its models again"
            )
        shutil.copyfile(path, folder / file)


def texts(about: Mapping[str, Any], models: list[dict[str, Any]], tables: list[Table]) -> dict[str, str]:
    """The texts of the folder by file name: card, dictionary, metadata."""
    name = f"normhouse-{re.sub('[^A-Za-z0-9_.-]', '_', about['lake'])}"
    licences = sorted({plain(model["licence"] or UNKNOWN) for model in models})
    values = {
        "name": name,
        "about": about,
        "models": models,
        "tables": tables,
        "version": VERSION,
        "unknown": UNKNOWN,
    }
    jinja = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    jinja.filters |= {"cell": _cell, "text": markdown_text, "code": markdown_code, "quoted": _quoted}
    written = {path.name: jinja.get_template(path.name).render(values) for path in TEMPLATES.glob("*.md")}
    latest = max(model["ingested"] for model in models)
    metadata = croissant(name, description(about), licences, latest, VERSION, tables)
    return {
        **written,
        "dictionary.csv": _dictionary(tables),
        "measured.csv": TABLES["measured"].path.read_text(encoding="utf-8"),
        # hubs copy it into a <script> element of their pages
        PUBLISHED: json_text(metadata, indent=2).replace("<", "\\u003c") + "\n",
    }


def markdown_text(text: object) -> str:
    """Literal text in Markdown, which may hold HTML, also in a cell of a table."""
    escaped = "".join(ENTITIES.get(one) or (f"\\{one}" if one in MARKUP else one) for one in plain(str(text)))
    return escaped.strip()


def markdown_code(text: object) -> str:
    """As code if its characters allow it, else as literal text."""
    return f"`{text}`" if re.fullmatch(r"[\w.:/@+-]+", str(text), re.ASCII) else markdown_text(text)


def _quoted(text: object) -> str:
    """As a string of Python, or of YAML."""
    return json.dumps(str(text))


def description(about: Mapping[str, Any]) -> str:
    """The lake in one paragraph, with its caution first."""
    caution = f"Caution: {about['caution']}. " if about["caution"] else ""
    return (
        f"{caution}The norm weights of {about['models']} language models as rows, with where each vector was "
        f"read from. Source: {about['sources']}; lake {plain(about['lake'])}, "
        f"fingerprint {about['fingerprint']}."
    )


def _dictionary(tables: list[Table]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("table", "column", "type", "description"))
    writer.writerows(
        (table.name, column.name, column.type, column.description)
        for table in tables
        for column in table.columns
    )
    return text.getvalue()


def _cell(text: object) -> str:
    """Our own Markdown in a cell of a table, where a bar is escaped."""
    return " ".join(str(text).split()).replace("|", "\\|")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
