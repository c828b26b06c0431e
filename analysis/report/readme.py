"""Generates the README's answer in a few rows from a run of all claims; `just readme` rewrites it.

The table is between two comment lines and has the headlines that a newcomer needs first. It is made on the
replica lake, so that anybody can make it again; statements about released weights are not judged, and the
replica's figures are not shown. No run is recorded.
"""

from __future__ import annotations

import re
from pathlib import Path

from analysis.claims.claim_file import BrokenClaim
from analysis.claims.lock import read_locked
from analysis.claims.results import NOT_JUDGED, Run, counts_lines, verdict_words
from analysis.claims.run import run_files
from analysis.lakes import trained_catalog
from analysis.report.main_page import headlines
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import SQL
from warehouse.errors import FormatError
from warehouse.integrity.damage import refuse_damaged
from warehouse.lake import Lake

README = Path(__file__).parents[2] / "README.md"
BETWEEN = re.compile(
    r"(?<=<!-- verdicts: `just readme` writes these lines -->\n).*?(?=<!-- end -->)", re.DOTALL
)


# The first item, or the finding, of each headline that is shown.
SHOWN = (
    "accusation.readme.cross.layer_10",
    "accusation.readme.effect_size_182",
    "findings.means_and_spreads",
    "sionic.summary.pearson.solar_glm",
    "accusation.readme.title.derived",
    "hyunwoong.title.not_derived",
)


def verdict_table(run: Run) -> str:
    """The first headlines as a Markdown table, and the counts of items and findings."""
    lines = ["| who says what | verdict | what was found |", "| --- | --- | --- |"]
    by_key = {line.planned.finding or line.planned.items[0]: line for line in headlines(run)}
    for name in SHOWN:
        line = by_key[name]
        found = [] if line.verdict == NOT_JUDGED else [line.found]
        measured = [f"{line.measured[0].upper()}{line.measured[1:]}."] if line.measured else []
        said = f"**{line.planned.by}** {line.planned.said}"
        told = " ".join([*found, line.planned.shows, *measured])
        lines.append(f"| {said} | {verdict_words(line.verdict, run)} | {told} |")
    return "\n".join([*lines, "", "In all: " + "; ".join(counts_lines(run)) + ".", ""])


def with_table(text: str, table: str) -> str:
    if not BETWEEN.search(text):
        raise FormatError(f"{README} has lost the two comment lines around its verdicts: restore them")
    return BETWEEN.sub(lambda _: table, text)


def run_of(lake: Lake, sql: Path = SQL) -> Run:
    with open_catalog(lake) as connection, trained_catalog(lake) as trained:
        return run_files(connection, read_locked(sql), trained)


def rewrite(lake: Lake, readme: Path = README, sql: Path = SQL) -> None:
    """Writes the table into the README; refuses a damaged lake and a broken claim."""
    refuse_damaged(lake)
    run = run_of(lake, sql)
    if run.broken:
        first, *others = run.broken
        more = f" (and {len(others)} more; `just claims` names them)" if others else ""
        raise BrokenClaim(f"{readme.name} is left as it is: {first.name} is broken{more}: {first.reason}")
    text = readme.read_text("utf-8")
    readme.write_text(with_table(text, verdict_table(run)), "utf-8")
