"""Which errors of DuckDB are a lake's and not ours: a file that is gone, cut short or damaged."""

from __future__ import annotations

import sys


def unreadable(error: Exception) -> str:
    """What to say of it, and what to do; empty of any other error, which is a mistake in this program."""
    # DuckDB takes a tenth of a second to import: where nobody has, the error is not its.
    duckdb = sys.modules.get("duckdb")
    # a damaged page has no class of its own; wrong SQL has one that is not here
    if duckdb is None or type(error) not in (
        duckdb.Error,
        duckdb.IOException,
        duckdb.InvalidInputException,
    ):
        return ""
    said = " ".join(str(error).partition("LINE 1:")[0].split())
    return (
        f"the lake cannot be read ({said}): `just check LAKE` names damaged files and what mends them; "
        "while models are gathered into larger files, the same command again helps"
    )
