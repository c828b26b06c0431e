"""Names the lake that a command reads, finds models in it, and opens the lake of the models trained here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote

import duckdb

from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import counted, remark
from warehouse.errors import UsageError, did_you_mean, plain
from warehouse.lake import Lake, other_lakes_with

TRAINED_LAKE = "zoo"


def announce(connection: duckdb.DuckDBPyConnection, lake: Lake, *, caution: bool = True) -> None:
    """Say on stderr which lake is read, and its caution if the answer does not contain it."""
    first, *cautions = description(connection, lake)
    remark(first, *(cautions if caution else []))


def description(connection: duckdb.DuckDBPyConnection, lake: Lake) -> list[str]:
    """The lake in one line, and a second one if its numbers are no evidence; both of bounded length."""
    [(models, sources, caution)] = connection.sql("select models, sources, caution from _caution").fetchall()
    if not models:
        return [f"lake {lake.name}: no models yet, `just ingest … --lake {quote(lake.name)}` brings some"]
    first = f"lake {lake.name}: {counted(models, 'model')} ({sources})"
    return [plain(line) for line in (first, f"caution: {caution}" if caution else "") if line]


def find_models(connection: duckdb.DuckDBPyConnection, lake: Lake, *asked: str) -> list[str]:
    """The models of those names, or of those repositories (`owner/name`); UsageError for an unknown one."""
    return [_find_model(connection, lake, name) for name in asked]


def _find_model(connection: duckdb.DuckDBPyConnection, lake: Lake, asked: str) -> str:
    # what was typed may be bytes of any kind, and DuckDB takes only Unicode
    if not any("\ud800" <= one <= "\udfff" for one in asked):
        query = """
            select model from models
            where model = $asked or lower(repo) = lower($asked)
            order by model <> $asked, model
        """
        found = [model for (model,) in connection.execute(query, {"asked": asked}).fetchall()]
        if asked in found[:1] or len(found) == 1:
            return str(found[0])
        if found:
            raise UsageError(
                f"{asked} is several models of lake {lake.name!r}: name {' or '.join(found[:9])}"
            )
        _refuse_duplicate(connection, lake, asked)
    if others := other_lakes_with(asked, lake):
        has = "lake " + others[0] + " has it" if len(others) == 1 else f"lakes {', '.join(others)} have it"
        raise UsageError(f"no model {asked!r} in lake {lake.name!r}: {has}, add `--lake {others[0]}`")
    known = [name for (name,) in connection.sql("select model from models order by model").fetchall()]
    raise UsageError(f"no model {asked!r} in lake {lake.name!r}: {did_you_mean(asked, known)}")


def _refuse_duplicate(connection: duckdb.DuckDBPyConnection, lake: Lake, asked: str) -> None:
    """Name the stored model if `asked` is a duplicate: a crawl stores models with identical norms once."""
    query = "select same_as from duplicates where $asked in (model, repo) and same_as is not null"
    for (same_as,) in connection.execute(query, {"asked": asked}).fetchall():
        raise UsageError(
            f"{asked!r} has the norms of {same_as!r}, value for value, and is stored once in lake "
            f"{lake.name!r}: ask for {same_as!r}"
        )


@contextmanager
def trained_catalog(lake: Lake) -> Iterator[duckdb.DuckDBPyConnection | None]:
    """The lake of the models trained here, unpacked if needed; None if `lake` is that lake."""
    if lake.name == TRAINED_LAKE:
        yield None
        return
    from warehouse.integrity.damage import refuse_damaged  # imports Arrow, which few commands need

    trained = trained_lake()
    refuse_damaged(trained)
    with open_catalog(trained) as connection:
        yield connection


def trained_lake() -> Lake:
    from warehouse.embedded import materialise_zoo  # likewise

    return materialise_zoo(TRAINED_LAKE)
