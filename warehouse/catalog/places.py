"""Finds the place of a lake's catalog and recognises catalogs that we wrote.

The record of a catalog (what it was built from, and its sha256) is outside the database and the folder that
it describes, because somebody else could provide both with a matching record.

    <data>/.<lake>/00000042/warehouse.duckdb  catalog of a snapshot that we wrote
    <data>/.<lake>/00000042.json              its record
    <data>/.catalogs/<digest>/…               catalog and record of any other lake
    ~/.cache/normhouse/<digest>/…             both, if the data folder cannot be written
    a temporary folder, gone with the process, if that cannot be written either
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from warehouse.errors import CannotWrite, LakeError
from warehouse.lake import Lake, write_text_atomically
from warehouse.paths import data_root

FILE = "warehouse.duckdb"
RECORD = "catalog.json"


@dataclass(frozen=True)
class Place:
    """A catalog and, elsewhere or beside it, its record."""

    catalog: Path
    record: Path


@dataclass(frozen=True)
class Signatures:
    """What a catalog was built from: its views, and the names of its files."""

    views: str
    names: str


def places_of(lake: Lake) -> list[Place]:
    """Possible places of its catalog, best first."""
    if lake.is_ours:
        places = [Place(lake.folder / FILE, lake.folder.with_suffix(".json"))]
    else:
        ours = data_root() / ".catalogs" / place_digest(lake)
        places = [Place(ours / FILE, ours / RECORD)]
    with suppress(RuntimeError):  # no home folder
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        own = cache / "normhouse" / place_digest(lake)
        places.append(Place(own / FILE, own / RECORD))
    return places


def catalog_file(lake: Lake) -> Path:
    return places_of(lake)[0].catalog


def temporary_place(lake: Lake) -> Place:
    folder = _temporary_folder() / place_digest(lake)
    return Place(folder / FILE, folder / RECORD)


@lru_cache(maxsize=1)
def _temporary_folder() -> Path:
    try:
        folder = tempfile.TemporaryDirectory(prefix="normhouse-", ignore_cleanup_errors=True)
    except OSError as error:
        raise CannotWrite(
            f"cannot write a catalog anywhere, the last try being the folder for temporary files "
            f"({error.strerror or error}): set TMPDIR or NORMHOUSE_DATA to a folder with rights and space"
        ) from error
    atexit.register(folder.cleanup)
    return Path(folder.name)


def place_digest(lake: Lake) -> str:
    return hashlib.sha256(f"{lake.name} {lake.folder}".encode()).hexdigest()[:16]


def record(place: Place, signatures: Signatures, digest: str) -> None:
    text = json.dumps({"views": signatures.views, "names": signatures.names, "sha256": digest})
    try:
        write_text_atomically(place.record, text + "\n")
    except LakeError as error:
        raise CannotWrite(str(error)) from error


def recorded_signatures(place: Place) -> Signatures | None:
    """None if there is no catalog, or it is not, byte for byte, the one that we wrote there."""
    try:
        found = json.loads(place.record.read_text())
        if found["sha256"] == file_digest(place.catalog):
            return Signatures(found["views"], found["names"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
