"""`just claims [ID…] [--json] [--since RUN] [--lake NAME]` and `just claims-lock`.

Results go to stdout; which lake they come from, and the caution about the replica, to stderr. DuckDB, Arrow
and rich are imported only when a command runs, so that `--help` stays quick.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.claims.claim_file import CLAIMS, FINDINGS, Broken, read_claims, read_findings
from analysis.claims.items import read_items
from warehouse.command import Commands, add_lake
from warehouse.definitions import SQL
from warehouse.documents import ITEMS_CSV
from warehouse.errors import UsageError
from warehouse.names import meant

if TYPE_CHECKING:
    from analysis.claims.ledger import Change
    from analysis.claims.run import Run

EXAMPLES = """\
examples
  just claims                      every statement: verdict, words, what was found
  just claims --document sionic    those of one document
  just claims printed              those of one group; findings: what we infer ourselves
  just claims printed.background   one in full: reading, expected, observed, SQL
  just claims --since 3            what changed since run 3, and whether query or data moved
"""


def add_parser(subparsers: Commands) -> None:
    claims = subparsers.add_parser(
        "claims",
        help="what the documents say, and whether it holds",
        description="Run the claims on a lake and print the verdict of each statement, and our findings "
        "apart; each run is kept in the ledger.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    claims.add_argument(
        "ids", nargs="*", metavar="ID", help="a claim, shown in full, or a group (default: all)"
    )
    claims.add_argument(
        "--document", metavar="NAME", help="what one document says: sionic, hyunwoong, critique, …"
    )
    claims.add_argument("--json", action="store_true", help="for machines")
    claims.add_argument("--since", type=int, metavar="RUN", help="show what changed since that run")
    claims.add_argument(
        "--as-if-hub",
        action="store_true",
        help="for developers: judge what is about released weights on any lake, and say so on every line",
    )
    add_lake(claims)
    claims.set_defaults(run=main)
    locking = subparsers.add_parser("claims-lock", help="lock the claims' queries as they are now")
    locking.set_defaults(run=main_lock)


def main(options: argparse.Namespace, sql: Path = SQL) -> int:
    """0 when every claim chosen could be run, whatever its verdicts; 1 when one is broken."""
    from analysis.claims import ledger
    from analysis.claims.listing import keys_of, of_documents
    from analysis.claims.run import run_claims
    from analysis.lakes import announce, trained_catalog
    from analysis.rows import about_lake
    from warehouse.catalog import open_catalog
    from warehouse.damage import refuse_damaged
    from warehouse.lake import existing_lake

    lake = existing_lake(options.lake)
    refuse_damaged(lake)
    claims, unreadable = read_claims(sql / CLAIMS.name)
    findings, unreadable_findings = read_findings(sql / FINDINGS.name)
    unreadable += unreadable_findings
    known = [one.id for one in (*claims, *findings)] + [one.name for one in unreadable]
    asked = choose(known, options.ids)
    items = read_items(sql / ITEMS_CSV.relative_to(SQL))
    keys = keys_of(options.document) if options.document else None
    if options.since is not None:
        ledger.check_run(lake, options.since)
    chosen = [claim for claim in claims if claim.id in asked and (not keys or keys & {*claim.documents})]
    chosen_findings = [finding for finding in findings if finding.id in asked and not keys]
    # The models trained here are unpacked for those that ask them: some seconds, the first time.
    is_toy_asked = any(claim.evidence == "toy" for claim in (*chosen, *chosen_findings))
    with (
        open_catalog(lake) as connection,
        trained_catalog(lake) if is_toy_asked else nullcontext() as trained,
    ):
        announce(connection, lake)
        run = run_claims(
            connection,
            chosen,
            trained,
            findings=chosen_findings,
            items=items,
            as_if_hub=options.as_if_hub,
        )
        if keys:
            run = of_documents(run, keys)
        run.broken += [one for one in unreadable if one.name in asked]
        about = about_lake(connection)
        changes = None
        # What is only supposed, or a part of what was asked, is kept out of the ledger.
        is_partial = options.as_if_hub or options.document
        about["run"] = number = 0 if is_partial else ledger.append(lake, run, about["fingerprint"])
        if options.since is not None:
            found = ledger.since(connection, lake, options.since, number)
            changes = [change for change in found if change.claim in asked]
    _print(run, changes, {**about, "as_if_hub": options.as_if_hub}, options, list(items))
    if number:
        print(f"run {number} is in the ledger of lake {lake.name}", file=sys.stderr)
    return _report(run.broken)


def _print(
    run: Run,
    changes: list[Change] | None,
    about: Mapping[str, object],
    options: argparse.Namespace,
    order: Sequence[str],
) -> None:
    from analysis.claims import show
    from analysis.claims.as_json import as_json
    from analysis.claims.listing import show_listing
    from analysis.json_text import json_text

    if options.json:
        print(json_text(as_json(run, changes, about), indent=2))
        return
    screen = show.console(sys.stdout)
    if changes is not None:
        show.show_changes(changes, options.since, int(str(about["run"])), screen)
    elif options.ids and all("." in name for name in options.ids):
        if about["caution"]:
            print(f"caution: {about['caution']}")
        for result in run.results:
            show.show_claim(result, screen, as_if_hub=options.as_if_hub)
        for finding in run.findings:
            show.show_finding(finding, screen, as_if_hub=options.as_if_hub)
    else:
        show_listing(run, screen, order, as_if_hub=options.as_if_hub)


def main_lock(_options: argparse.Namespace, sql: Path = SQL) -> int:
    """Writes the locks; a broken claim or an unraised version stops it."""
    from analysis.claims.lock import write_lock

    claims, broken = read_claims(sql / CLAIMS.name)
    findings, broken_findings = read_findings(sql / FINDINGS.name)
    if not broken + broken_findings:
        moved = write_lock(claims, sql / CLAIMS.name) + write_lock(findings, sql / FINDINGS.name)
        total = f"{len(claims)} claims and {len(findings)} findings"
        print("\n".join(moved) if moved else f"{total} are locked as they are")
    return _report(broken + broken_findings)


def choose(known: Sequence[str], asked: Sequence[str]) -> set[str]:
    """The claims with those ids or of those groups; all when nothing is asked for."""
    groups = sorted({name.partition(".")[0] for name in known})
    for name in asked:
        if name not in known and name not in groups:
            hint = meant(name, [*known, *groups], "`just claims` lists them all")
            raise UsageError(f"no claim or group {name!r}: {hint}")
    return {name for name in known if not asked or name in asked or name.partition(".")[0] in asked}


def _report(broken: Sequence[Broken]) -> int:
    """Names the broken claims on stderr; the exit code."""
    for claim in broken:
        print(f"broken claim {claim.name}: {claim.reason}", file=sys.stderr)
    return 1 if broken else 0
