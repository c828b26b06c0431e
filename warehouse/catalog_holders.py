"""The part of a catalog that says where a model is: by itself, or in which part (warehouse/parts.py).

A function of a table takes no query for an argument, so the names stand in the catalog as texts, and whoever
looks for a name reads one of them: models by themselves have one, those in parts one for each bucket of some
hundred names, by a digest of the name. So the time it takes does not grow with the lake.

    files.alone(model)        the model itself, if it stands by itself; else NULL
    files.bucket_a7(model)    its part, if it is in one, for names whose digest begins with a7
    files.holder_call(model)  the call that looks for it, as text for `query`
    files.holder_of(model)    one row: under which name its files are, NULL if it is not there
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import duckdb

BUCKET_NAMES = 1_000
# Among so many the nearest name to a wrong one is looked for.
NAMES_LIKE_IT = 1_000


def create_holder_of_staged(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> None:
    """Of models by themselves."""
    connection.execute(
        f"create or replace macro files.alone(model) as "
        f"case when contains({text_of(names)}, '/' || model || '/') then model end"
    )
    connection.execute(f"create or replace macro files.names_alone() as {text_of(names[:NAMES_LIKE_IT])}")


def create_holder_of_gathered(
    connection: duckdb.DuckDBPyConnection, models_in: Mapping[str, Iterable[str]]
) -> None:
    """Of the models in each part."""
    holders = {model: part for part, models in models_in.items() for model in models}
    digits = bucket_digits(len(holders))
    buckets: dict[str, list[str]] = {
        f"{number:0{digits}x}" if digits else "": [] for number in range(16**digits)
    }
    for model, part in holders.items():
        buckets[_digest(model)[:digits]].append(f"{model}|{part}")
    for bucket, entries in buckets.items():
        connection.execute(
            f"create or replace macro files.bucket_{bucket}(model) as "
            f"string_split(string_split({text_of(entries)}, '/' || model || '|')[2], '/')[1]"
        )
    connection.execute(
        f"create or replace macro files.names_gathered() as {text_of(sorted(holders)[:NAMES_LIKE_IT])}"
    )
    # a name with a slash could be taken for two entries of a text
    connection.execute(
        f"create or replace macro files.holder_call(model) as "
        f"case when contains(model, '/') then 'null' else "
        f"format('coalesce(files.alone({{1}}), files.bucket_{{0}}({{1}}))', left(md5(model), {digits}), "
        f"'''' || replace(model, '''', '''''') || '''') end"
    )
    connection.execute(
        "create or replace macro files.holder_of(model) as table "
        "from query('select ' || files.holder_call(model) || ' as holder')"
    )


def bucket_digits(models: int) -> int:
    """How many hexadecimal digits tell the buckets apart."""
    digits = 0
    while models > BUCKET_NAMES * 16**digits:
        digits += 1
    return digits


def gathered_signature(parts: Iterable[str]) -> str:
    """Changes when the buckets must; a part is never changed, so its name says what is in it."""
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()


def _digest(name: str) -> str:
    return hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()


def text_of(entries: Iterable[str]) -> str:
    """As one text, which is bound faster than a list."""
    return literal("".join(f"/{entry}" for entry in entries) + "/")


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
