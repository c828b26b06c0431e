"""The README's table of verdicts, generated from a run of all claims. `just readme` rewrites it.

It stands between two comment lines and is made on the replica lake, so that anybody can make it again; what
depends on released weights is shown as rehearsed, without the replica's figures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from analysis.claims.claim_file import read_claims
from analysis.claims.run import Result, run_claims
from analysis.claims.show import counts_line
from analysis.lakes import trained_catalog
from analysis.report.headlines import headlines
from warehouse.catalog import open_catalog
from warehouse.errors import FormatError
from warehouse.lake import Lake

README = Path(__file__).parents[2] / "README.md"
BETWEEN = re.compile(
    r"(?<=<!-- verdicts: `just readme` writes these lines -->\n).*?(?=<!-- end -->)", re.DOTALL
)


def verdict_table(results: Sequence[Result]) -> str:
    """The headlines as a Markdown table, and the count of all claims."""
    lines = ["| what was said | verdict | what was found |", "| --- | --- | --- |"]
    for line in headlines(results):
        found = "needs the released weights" if line.verdict == "rehearsed" else line.found
        lines.append(f"| {line.said} | {line.verdict} | {found} |")
    return "\n".join([*lines, "", f"In all: {counts_line(results, [])}.", ""])


def with_table(text: str, table: str) -> str:
    if not BETWEEN.search(text):
        raise FormatError(f"{README} has lost the two comment lines around its verdicts: restore them")
    return BETWEEN.sub(lambda _: table, text)


def results_of(lake: Lake) -> list[Result]:
    with open_catalog(lake) as connection, trained_catalog(lake) as trained:
        return run_claims(connection, read_claims()[0], trained)[0]


def rewrite(lake: Lake) -> None:
    text = README.read_text("utf-8")
    README.write_text(with_table(text, verdict_table(results_of(lake))), "utf-8")
