"""The README's table of verdicts, generated from a run of all claims. `just readme` rewrites it.

It stands between two comment lines and is made on the replica lake, so that anybody can make it again; what
depends on released weights is shown as rehearsed, without the replica's figures.
"""

from __future__ import annotations

import re
from pathlib import Path

from analysis.claims.claim_file import read_claims, read_findings
from analysis.claims.run import Run, run_claims
from analysis.claims.show import counts_lines
from analysis.lakes import trained_catalog
from analysis.report.headlines import headlines
from warehouse.catalog import open_catalog
from warehouse.errors import FormatError
from warehouse.lake import Lake

README = Path(__file__).parents[2] / "README.md"
BETWEEN = re.compile(
    r"(?<=<!-- verdicts: `just readme` writes these lines -->\n).*?(?=<!-- end -->)", re.DOTALL
)


def verdict_table(run: Run) -> str:
    """The headlines as a Markdown table, and the counts of items and findings."""
    lines = [
        "| who says what | verdict | what was found | published measurements |",
        "| --- | --- | --- | --- |",
    ]
    for line in headlines(run):
        found = "Needs the released weights." if line.verdict == "rehearsed" else line.found
        said = f"**{line.planned.by}** {line.planned.said}"
        lines.append(f"| {said} | {line.verdict} | {found} {line.planned.shows} | {line.measured or '–'} |")
    return "\n".join([*lines, "", "In all: " + "; ".join(counts_lines(run)) + ".", ""])


def with_table(text: str, table: str) -> str:
    if not BETWEEN.search(text):
        raise FormatError(f"{README} has lost the two comment lines around its verdicts: restore them")
    return BETWEEN.sub(lambda _: table, text)


def run_of(lake: Lake) -> Run:
    with open_catalog(lake) as connection, trained_catalog(lake) as trained:
        return run_claims(connection, read_claims()[0], trained, findings=read_findings()[0])


def rewrite(lake: Lake) -> None:
    text = README.read_text("utf-8")
    README.write_text(with_table(text, verdict_table(run_of(lake))), "utf-8")
