"""`just claims [ID…]` and `just claims-lock`: results go to stdout, the lake and its caution to stderr."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from analysis.claims import ledger
from analysis.claims import show as screen
from analysis.claims.claim_file import CLAIMS, FINDINGS, Broken, Claim, claim_names
from analysis.claims.headlines import Headline, headlines, planned
from analysis.claims.lock import ClaimFiles, read_locked, write_lock
from analysis.claims.results import (
    DEFINITION,
    SHOWN,
    UNTESTABLE,
    VERDICTS,
    Run,
    as_json,
    read_items,
    selected,
)
from analysis.claims.run import run_files
from analysis.lakes import announce, trained_catalog
from analysis.rows import about_lake, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import SQL
from warehouse.console import output
from warehouse.console.output import counted
from warehouse.documents import HEADLINES, ITEMS_CSV, documents
from warehouse.errors import UsageError, did_you_mean
from warehouse.integrity.damage import refuse_damaged
from warehouse.lake import Lake, existing_lake


@dataclass(frozen=True)
class Asked:
    """What the command line asks for: the files to run, and which of their results to show."""

    files: ClaimFiles
    in_full: bool = False
    """Whether only claims and items were named: they are shown with their readings and SQL."""
    items: frozenset[str] = frozenset()
    """Items that were named; nothing else of their claims is shown."""
    claims: frozenset[str] = frozenset()
    """Claims that were named, besides."""
    groups: frozenset[str] = frozenset()
    """The group of the document that was named."""
    verdict: str = ""

    @property
    def is_part(self) -> bool:
        return bool(self.items or self.groups or self.verdict)

    def has(self, claim: str, item: str, group: str, verdict: str) -> bool:
        """Whether that item, or finding without an item, was asked for; verdict "" is any."""
        is_named = not self.items or item in self.items or claim in self.claims
        return is_named and group in (self.groups or {group}) and verdict in (self.verdict or verdict, "")


def main(options: argparse.Namespace, sql: Path = SQL) -> int:
    """0 when every claim chosen could be run, whatever its verdicts; 1 when one is broken."""
    lake = existing_lake(options.lake)
    asked = choose(options.ids, options.document, options.verdict, sql)
    if options.since is not None:
        ledger.check_run(lake, options.since)
    is_recorded = asked.files.is_complete and not (asked.verdict or options.as_if_hub)
    number = changes = None
    with _catalogs(lake, asked.files) as (connection, trained):
        announce(connection, lake, caution=not (options.json or asked.in_full))
        about = about_lake(connection)
        run = run_files(connection, asked.files, trained, as_if_hub=options.as_if_hub)
        if is_recorded:  # 0: the lake takes no record
            number = ledger.append(lake, run, str(about["fingerprint"])) or None
        if options.since is not None:
            found = ledger.since(connection, lake, options.since, run, about["fingerprint"])
            changes = [
                change
                for change in found
                if change.claim in asked.files.names
                and asked.has(change.claim, change.item, change.item.partition(".")[0], "")
            ]
    shown = selected(run, asked.has) if asked.is_part else run
    if options.json:
        show_json(as_json(shown, changes, {**about, "run": number, "as_if_hub": options.as_if_hub}))
    elif changes is not None:
        after = f"run {number}" if number else "now"
        screen.show_changes(changes, f"run {options.since}", after, screen.console(sys.stdout))
    else:
        _show(shown, asked, about["caution"], options, sql)
    for name in asked.files.unlocked:
        output.remark(f"{name} is not locked yet: `just claims-lock` locks it")
    if number:
        output.remark(f"run {number} is in the ledger of lake {lake.name}")
    return _report(run.broken)


def _show(run: Run, asked: Asked, caution: str | None, options: argparse.Namespace, sql: Path) -> None:
    to = screen.console(sys.stdout)
    if asked.in_full:
        if caution:
            output.show(f"caution: {caution}")
        for one in run.answered:
            screen.show_in_full(one, run, to)
        return
    lines: list[Headline] = []
    is_whole = asked.files.is_complete and not asked.is_part
    if is_whole and (file := sql / HEADLINES.relative_to(SQL)).exists():
        lines = headlines(run, planned(file=file))
    if is_whole and not options.all:
        screen.show_summary(run, lines, to)
    else:
        screen.show_listing(run, lines, to, list(asked.files.items))


def main_lock(options: argparse.Namespace, sql: Path = SQL) -> int:
    """Lock the claims; 1, with nothing locked, if one is broken or changed under its version."""
    files = read_locked(sql, allow_unlocked=True)
    broken = files.broken
    if files.unlocked and not broken:
        new_claims, new_findings = (
            [claim for claim in claims if claim.id in files.unlocked]
            for claims in (files.claims, files.findings)
        )
        unlocked = replace(files, claims=new_claims, findings=new_findings, is_complete=False)
        lake = existing_lake(options.lake)
        with _catalogs(lake, unlocked) as (connection, trained):
            announce(connection, lake)
            broken = run_files(connection, unlocked, trained).broken
    if not broken:
        moved = write_lock(files.claims, sql / CLAIMS.name) + write_lock(files.findings, sql / FINDINGS.name)
        total = f"{counted(len(files.claims), 'claim')} and {counted(len(files.findings), 'finding')}"
        output.show(*(moved or [f"{total} are locked as they are"]))
    return _report(broken)


def choose(ids: Sequence[str], document: str | None, verdict: str | None, sql: Path = SQL) -> Asked:
    """The claims of those ids, groups or items (all if none is named), of that document and verdict."""
    items = read_items(sql / ITEMS_CSV.relative_to(SQL)) if ids else {}
    known = claim_names(sql)
    groups = {name.partition(".")[0] for name in known}
    for name in ids:
        if name not in items and name not in groups and name not in known:
            hint = did_you_mean(name, [*known, *sorted(groups), *items], "`just claims --all` lists them all")
            raise UsageError(f"no claim, group or item {name!r}: {hint}")
    claims = {name for name in known if name in ids or name.partition(".")[0] in ids}
    named = {name for name in ids if name in items}
    keys = _document_keys(document) if document else set()
    is_complete = not (ids or keys)
    names = claims if ids and not named else None
    files = read_locked(sql, names, allow_unlocked=not is_complete)
    if not is_complete:
        evidence = {items[name].evidence for name in named}
        files = replace(
            files,
            is_complete=False,
            claims=[
                claim
                for claim in files.claims
                if (not ids or claim.id in claims or _may_return(claim, evidence))
                and (not keys or keys & {*claim.documents})
            ],
            findings=[finding for finding in files.findings if finding.id in claims and not keys],
            broken=[one for one in files.broken if not ids or one.name in claims],
        )
    return Asked(
        files,
        in_full=bool(ids) and groups.isdisjoint(ids),
        items=frozenset(named),
        claims=frozenset(claims),
        groups=frozenset(documents()[key].group for key in keys),
        verdict=_verdict(verdict) if verdict else "",
    )


def _may_return(claim: Claim, evidence: set[str]) -> bool:
    """Whether an item of that evidence may be one of this claim's: only running it tells."""
    return claim.evidence in evidence or not evidence.isdisjoint({DEFINITION, UNTESTABLE})


def _verdict(asked: str) -> str:
    verdict = asked.replace("-", " ")
    known = dict.fromkeys([*VERDICTS, *SHOWN])
    if verdict not in known:
        raise UsageError(f"no verdict {asked!r}: {did_you_mean(verdict, known)}")
    return verdict


def _document_keys(name: str) -> set[str]:
    """The document of that name, or those of that group."""
    keys = {key for key, source in documents().items() if name in (key, source.group)}
    if not keys:
        known = dict.fromkeys([*(source.group for source in documents().values()), *documents()])
        raise UsageError(f"no document {name!r}: {did_you_mean(name, known)}")
    return keys


@contextmanager
def _catalogs(
    lake: Lake, files: ClaimFiles
) -> Iterator[tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection | None]]:
    """The catalog of the lake and, if a claim needs them, that of the models trained here.

    A damaged lake is refused if a claim reads models. All of it is checked (2.5 ms per model), because some
    statements are about every model.
    """
    lake = lake.pinned()
    evidence = {claim.evidence for claim in (*files.claims, *files.findings)}
    if evidence & {"weights", "slices", "toy"}:
        refuse_damaged(lake)
    # takes seconds the first time, because the shipped lake is unpacked
    trained = trained_catalog(lake) if "toy" in evidence else nullcontext()
    with open_catalog(lake) as connection, trained as other:
        yield connection, other


def _report(broken: Sequence[Broken]) -> int:
    """Name what is broken on stderr, and return the exit code."""
    for one in broken:
        output.remark(f"broken: {one.name}: {one.reason}")
    return 1 if broken else 0
