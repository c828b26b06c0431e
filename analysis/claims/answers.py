"""Asks one claim's query and judges each row of its answer by itself: does this reading hold?"""

from __future__ import annotations

from collections.abc import Collection

import duckdb

from analysis.claims.claim_file import PROJECTIONS, BrokenClaim, Claim
from analysis.claims.verdicts import PLAIN, Reading
from warehouse.definitions import read_query

NUMERIC = ("item", "reading", "expected", "tolerance", "observed")
QUALITATIVE = ("item", "reading", "statement", "holds", "observed")


def readings_of(connection: duckdb.DuckDBPyConnection, claim: Claim) -> tuple[Reading, ...]:
    """The rows of the answer, in order. BrokenClaim says what to change in the file."""
    try:
        if len(connection.extract_statements(claim.query)) != 1:
            raise BrokenClaim("there is more than one statement: keep one select")
        connection.execute(f"create or replace temp table answer as\n{claim.query}")
        columns = tuple(name for name, *_ in connection.execute("from answer limit 0").description or ())
        if sorted(columns) not in (sorted(NUMERIC), sorted(QUALITATIVE)):
            wanted = f"{', '.join(NUMERIC)} or {', '.join(QUALITATIVE)}"
            raise BrokenClaim(f"returns {', '.join(columns)}: return {wanted}")
        judge = "judging/figures" if "expected" in columns else "judging/statements"
        rows = connection.execute(read_query(judge)).fetchall()
    except duckdb.Error as error:
        raise BrokenClaim(f"the query fails: {str(error).strip().splitlines()[0]}") from error
    readings = tuple(Reading(*row) for row in rows)
    _check(readings)
    return readings


def _check(readings: tuple[Reading, ...]) -> None:
    seen = set()
    for row in readings:
        if not row.item or not row.reading:
            raise BrokenClaim("a row has no item or no reading: name each")
        if (row.item, row.reading) in seen:
            raise BrokenClaim(f"{row.reading} reading of {row.item} comes twice: return one row a reading")
        if row.statement is None and (row.expected is None or row.tolerance is None):
            raise BrokenClaim(f"item {row.item} lacks expected figure, tolerance or statement: fill it in")
        seen.add((row.item, row.reading))
    if lacking := sorted({item for item, _ in seen} - {item for item, reading in seen if reading == PLAIN}):
        raise BrokenClaim(f"item {lacking[0]} has no plain reading: say what its author most likely meant")


def missing(connection: duckdb.DuckDBPyConnection, claim: Claim, models: Collection[str]) -> str:
    """What the lake lacks for this claim and the command that brings it; empty when it lacks nothing."""
    needed = [model for model in claim.needs if model != PROJECTIONS]
    lacking = [model for model in needed if model not in models]
    command = (
        "just toy --size published" if claim.evidence == "toy" else f"just ingest hub {' '.join(lacking)}"
    )
    if PROJECTIONS in claim.needs:
        rows = connection.execute(
            "select distinct model from vector_stats where ln_type = 'k_proj'"
        ).fetchall()
        lacking += [f"k_proj and v_proj of {model}" for model in needed if (model,) not in rows]
        command = f"just ingest hub {' '.join(needed)} --projections 10,20,30"
    pronoun = "it" if len(lacking) == 1 else "them"
    return f"{', '.join(lacking)} missing; `{command}` brings {pronoun}" if lacking else ""
