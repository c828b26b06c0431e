"""Names and paths of lakes, tables and models on disk."""

from __future__ import annotations

import os
import re
from pathlib import Path

from warehouse.errors import UsageError

# A letter first: readers that guess types would turn `007` into a number. No `=`: they would guess a column.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,99}")

# The file in the data folder that names the lake ingested last.
CURRENT = "current"
# The data folder has folders `.work`, `.crawl` and so on, and a lake's snapshots are in `.<lake>`.
RESERVED = {CURRENT, "work", "catalogs", "crawl", "packaged", "trained"}

_SNAPSHOT = re.compile(r"\d{8,}")

ENDING = ".parquet"


def relative_file(table: str, stem: str) -> str:
    return f"{table}/{stem}{ENDING}"


def is_bundle(stem: str) -> bool:
    """Models' names begin with a letter."""
    return stem.isdecimal()


def current_number(path: Path) -> int | None:
    """The number of the current snapshot of a lake; None if this is not a symlink as we write it."""
    try:
        store, _, number = str(path.readlink()).partition("/")
    except OSError:
        return None
    return int(number) if store == f".{path.name}" and _SNAPSHOT.fullmatch(number) else None


def data_root() -> Path:
    """Read at call time, so that a test or a script can move it."""
    moved = os.environ.get("NORMHOUSE_DATA")
    return Path(moved).expanduser().resolve() if moved else Path(__file__).parent / "data"


def check_name(what: str, name: str) -> str:
    """Names become folders, partition values and SQL literals: keep them plain."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{what} {name!r} cannot be used: begin with a letter, then letters, digits, '_', '.' or '-' "
            f"(up to 100); choose another with --{'lake' if what == 'lake' else 'alias'}"
        )
    return name
