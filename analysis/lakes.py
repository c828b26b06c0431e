"""Names the lake that a command reads, and opens the lake of the models trained here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote

import duckdb

from warehouse.catalog.catalog import open_catalog
from warehouse.console.did_you_mean import did_you_mean
from warehouse.console.output import remark
from warehouse.errors import UsageError, plain
from warehouse.lake import Lake

TRAINED_LAKE = "zoo"


def announce(connection: duckdb.DuckDBPyConnection, lake: Lake) -> None:
    """Says on stderr which lake is read."""
    remark(*description(connection, lake))


def description(connection: duckdb.DuckDBPyConnection, lake: Lake) -> list[str]:
    """The lake in one line, and a second one when its numbers are no evidence; of bounded length."""
    [(models, sources, caution)] = connection.sql("select models, sources, caution from _caution").fetchall()
    if not models:
        return [f"lake {lake.name}: no models yet, `just ingest … --lake {quote(lake.name)}` brings some"]
    first = f"lake {lake.name}: {models} model{'s' if models > 1 else ''} ({sources})"
    lines = [first, f"caution: {caution}"] if caution else [first]
    return [plain(line) for line in lines]


def check_models(connection: duckdb.DuckDBPyConnection, lake: Lake, *models: str) -> None:
    """Refuses models that the lake does not have, with the nearest name that it has."""
    for model in models:
        if not _has_model(connection, model):
            _refuse_duplicate(connection, lake, model)
            known = [name for (name,) in connection.sql("select model from models order by model").fetchall()]
            raise UsageError(f"no model {model!r} in lake {lake.name!r}: {did_you_mean(model, known)}")


def _has_model(connection: duckdb.DuckDBPyConnection, model: str) -> bool:
    if not _is_unicode(model):
        return False
    query = "select model from models where model = $model"
    return bool(connection.execute(query, {"model": model}).fetchall())


def _is_unicode(name: str) -> bool:
    """Whether DuckDB can be asked about it: what was typed may be bytes of any kind."""
    return not any("\ud800" <= one <= "\udfff" for one in name)


def _refuse_duplicate(connection: duckdb.DuckDBPyConnection, lake: Lake, model: str) -> None:
    """A crawl knows it, and that another one has its norms."""
    if not _is_unicode(model):
        return
    query = "select same_as from duplicates where $model in (model, repo) and same_as is not null"
    for (same_as,) in connection.execute(query, {"model": model}).fetchall():
        raise UsageError(
            f"{model!r} has the norms of {same_as!r}, value for value, and is stored once in lake "
            f"{lake.name!r}: ask for {same_as!r}"
        )


@contextmanager
def trained_catalog(lake: Lake) -> Iterator[duckdb.DuckDBPyConnection | None]:
    """The lake of the models trained here, from the shipped files if need be; None if `lake` is that one.

    Refuses a damaged one: claims and figures are read from it.
    """
    from warehouse.integrity.damage import refuse_damaged  # imports Arrow, which few commands need

    if lake.name == TRAINED_LAKE:
        yield None
        return
    trained = trained_lake()
    refuse_damaged(trained)
    with open_catalog(trained) as connection:
        yield connection


def trained_lake() -> Lake:
    """The lake of the models trained here, from the shipped files if there is none."""
    from warehouse.embedded import materialise_zoo

    return materialise_zoo(TRAINED_LAKE)
