"""`just claims [ID…] [--json] [--since RUN] [--lake NAME]` and `just claims-lock`.

Results go to stdout; which lake they come from, and the caution about the replica, to stderr. DuckDB, Arrow
and rich are imported only when a command runs, so that `--help` stays quick.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.claims.claim_file import CLAIMS, Broken, read_claims
from warehouse.errors import UsageError

EXAMPLES = """\
examples
  just claims                      all claims: verdict, checks that hold, worst miss
  just claims printed              those of one group
  just claims printed.background   one in full: reading, expected, observed, SQL
  just claims --since 3            what changed since run 3, and whether query or data moved
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    claims = subparsers.add_parser(
        "claims",
        help="what the documents say, and whether it holds",
        description="Run the claims on a lake and print their verdicts; each run is kept in the ledger.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    claims.add_argument(
        "ids", nargs="*", metavar="ID", help="a claim, shown in full, or a group (default: all)"
    )
    claims.add_argument("--json", action="store_true", help="for machines")
    claims.add_argument("--since", type=int, metavar="RUN", help="show what changed since that run")
    claims.add_argument("--lake", metavar="NAME", help="which lake (default: the one ingested last)")
    claims.set_defaults(run=main)
    locking = subparsers.add_parser("claims-lock", help="lock the claims' queries as they are now")
    locking.set_defaults(run=main_lock)


def main(options: argparse.Namespace, root: Path = CLAIMS) -> int:
    """0 when every claim chosen could be run, whatever its verdict; 1 when one is broken."""
    from analysis.claims import ledger, show
    from analysis.claims.run import run_claims
    from analysis.lakes import announce, trained_catalog
    from warehouse.catalog import open_catalog
    from warehouse.lake import existing_lake

    lake = existing_lake(options.lake)
    claims, broken = read_claims(root)
    asked = choose([claim.id for claim in claims] + [claim.name for claim in broken], options.ids)
    if options.since is not None:
        ledger.check_run(lake, options.since)
    broken = [claim for claim in broken if claim.name in asked]
    with open_catalog(lake) as connection, trained_catalog(lake) as trained:
        announce(connection, lake)
        results, failed = run_claims(connection, [claim for claim in claims if claim.id in asked], trained)
        broken += failed
        [about] = connection.execute("select lake, sources, caution, fingerprint from lake").fetchall()
        run = ledger.append(lake, results, fingerprint=about[-1])
        changes = None
        if options.since is not None:
            found = ledger.since(connection, lake, options.since, run)
            changes = [change for change in found if change.claim in asked]
    if options.json:
        facts = dict(zip(("lake", "sources", "caution", "fingerprint"), about, strict=True))
        print(show.as_json(results, broken, changes, {**facts, "run": run}))
    else:
        screen = show.console(sys.stdout)
        if changes is not None:
            show.show_changes(changes, options.since, run, screen)
        elif options.ids and all("." in name for name in options.ids):
            for result in results:
                show.show_claim(result, screen)
        else:
            show.show_table(results, broken, screen)
        print(f"run {run} is in the ledger of lake {lake.name}", file=sys.stderr)
    return _report(broken)


def main_lock(_options: argparse.Namespace, root: Path = CLAIMS) -> int:
    """Writes the lock; a broken claim or an unraised version stops it."""
    from analysis.claims.lock import write_lock

    claims, broken = read_claims(root)
    if not broken:
        moved = write_lock(claims, root)
        print("\n".join(moved) if moved else f"{len(claims)} claims are locked as they are")
    return _report(broken)


def choose(known: Sequence[str], asked: Sequence[str]) -> set[str]:
    """The claims with those ids or of those groups; all when nothing is asked for."""
    groups = sorted({name.partition(".")[0] for name in known})
    for name in asked:
        if name not in known and name not in groups:
            near = difflib.get_close_matches(name, [*known, *groups], n=3)
            hint = f"did you mean {' or '.join(near)}?" if near else "`just claims` lists them all"
            raise UsageError(f"no claim or group {name!r}: {hint}")
    return {name for name in known if not asked or name in asked or name.partition(".")[0] in asked}


def _report(broken: Sequence[Broken]) -> int:
    """Names the broken claims on stderr; the exit code."""
    for claim in broken:
        print(f"broken claim {claim.name}: {claim.reason}", file=sys.stderr)
    return 1 if broken else 0
