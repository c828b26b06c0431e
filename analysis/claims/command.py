"""`just claims [ID…]` and `just claims-lock`: results go to stdout, the lake and its caution to stderr."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import duckdb

from analysis.claims import ledger, show
from analysis.claims.claim_file import CLAIMS, FINDINGS, Broken, claim_names
from analysis.claims.ledger import Change
from analysis.claims.lock import ClaimFiles, read_locked, write_lock
from analysis.claims.results import Run, as_json, of_groups
from analysis.claims.run import run_files
from analysis.lakes import announce, trained_catalog
from analysis.rows import about_lake, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import SQL
from warehouse.console import output
from warehouse.console.did_you_mean import did_you_mean
from warehouse.documents.documents import documents
from warehouse.errors import UsageError
from warehouse.integrity.damage import refuse_damaged
from warehouse.lake import Lake, existing_lake


def main(options: argparse.Namespace, sql: Path = SQL) -> int:
    """0 when every claim chosen could be run, whatever its verdicts; 1 when one is broken."""
    lake = existing_lake(options.lake)
    files, groups = _chosen(options, sql)
    if options.since is not None:
        ledger.check_run(lake, options.since)
    with _catalogs(lake, files) as (connection, trained):
        announce(connection, lake)
        about = about_lake(connection)
        run = run_files(connection, files, trained, as_if_hub=options.as_if_hub)
        is_recorded = files.is_complete and not options.as_if_hub
        number = _record(lake, run, about) if is_recorded else None
        changes = None
        if options.since is not None:
            found = ledger.since(connection, lake, options.since, run, about["fingerprint"])
            changes = [change for change in found if change.claim in files.names]
    if groups:
        run = of_groups(run, groups)
        changes = changes and [change for change in changes if change.item.partition(".")[0] in groups]
    _print(run, changes, {**about, "run": number, "as_if_hub": options.as_if_hub}, options, list(files.items))
    for name in files.unlocked:
        output.remark(f"{name} is not locked yet: `just claims-lock` locks it")
    if number:
        output.remark(f"run {number} is in the ledger of lake {lake.name}")
    return _report(run.broken)


def main_lock(options: argparse.Namespace, sql: Path = SQL) -> int:
    """1 when a claim is broken or its query changed under its old version; then nothing is locked."""
    files = read_locked(sql, allow_unlocked=True)
    broken = files.broken
    if files.unlocked and not broken:
        broken = _run_unlocked(files, options.lake)
    if not broken:
        moved = write_lock(files.claims, sql / CLAIMS.name) + write_lock(files.findings, sql / FINDINGS.name)
        total = f"{len(files.claims)} claims and {len(files.findings)} findings"
        output.show(*(moved or [f"{total} are locked as they are"]))
    return _report(broken)


def choose(known: Sequence[str], asked: Sequence[str]) -> set[str]:
    """The claims with those ids or of those groups; all when nothing is asked for."""
    groups = sorted({name.partition(".")[0] for name in known})
    for name in asked:
        if name not in known and name not in groups:
            hint = did_you_mean(name, [*known, *groups], "`just claims` lists them all")
            raise UsageError(f"no claim or group {name!r}: {hint}")
    return {name for name in known if not asked or name in asked or name.partition(".")[0] in asked}


def _chosen(options: argparse.Namespace, sql: Path) -> tuple[ClaimFiles, set[str]]:
    """The files that were asked for, and the groups of documents to show; none for all."""
    keys = _document_keys(options.document) if options.document else None
    names = choose(claim_names(sql), options.ids) if options.ids or keys else None
    files = read_locked(sql, names, allow_unlocked=names is not None)
    if keys is None:
        return files, set()
    claims = [claim for claim in files.claims if keys & {*claim.documents}]
    return replace(files, claims=claims, findings=[]), {documents()[key].group for key in keys}


@contextmanager
def _catalogs(
    lake: Lake, files: ClaimFiles
) -> Iterator[tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection | None]]:
    """The catalog of the lake and, if a claim asks the models trained here, that of theirs.

    Claims that read models get a verdict only if no byte of the lake is damaged. All of it is checked, not
    only what a claim needs: some statements are about every model of the lake. It takes 2.5 ms a model.
    """
    lake = lake.pinned()
    evidence = {claim.evidence for claim in (*files.claims, *files.findings)}
    if evidence & {"weights", "slices", "toy"}:
        refuse_damaged(lake)
    # Unpacks the models trained here the first time, which takes seconds.
    trained = trained_catalog(lake) if "toy" in evidence else nullcontext()
    with open_catalog(lake) as connection, trained as other:
        yield connection, other


def _record(lake: Lake, run: Run, about: Mapping[str, object]) -> int | None:
    """The number of the run in the ledger; none in a published lake."""
    return ledger.append(lake, run, str(about["fingerprint"])) or None


def _run_unlocked(files: ClaimFiles, lake_name: str | None) -> list[Broken]:
    """Runs what is not locked yet; what fails or breaks the contract."""
    lake = existing_lake(lake_name)
    unlocked = replace(
        files,
        claims=[claim for claim in files.claims if claim.id in files.unlocked],
        findings=[finding for finding in files.findings if finding.id in files.unlocked],
        is_complete=False,
    )
    with _catalogs(lake, unlocked) as (connection, trained):
        announce(connection, lake)
        return run_files(connection, unlocked, trained).broken


def _document_keys(name: str) -> set[str]:
    """The document of that name, or those of that group."""
    keys = {key for key, source in documents().items() if name in (key, source.group)}
    if not keys:
        known = dict.fromkeys([*(source.group for source in documents().values()), *documents()])
        raise UsageError(f"no document {name!r}: {did_you_mean(name, known)}")
    return keys


def _print(
    run: Run,
    changes: list[Change] | None,
    about: Mapping[str, object],
    options: argparse.Namespace,
    order: Sequence[str],
) -> None:
    if options.json:
        show_json(as_json(run, changes, about))
        return
    screen = show.console(sys.stdout)
    if changes is not None:
        after = f"run {about['run']}" if about["run"] else "now"
        show.show_changes(changes, f"run {options.since}", after, screen)
    elif options.ids and all("." in name for name in options.ids):
        if about["caution"]:
            output.show(f"caution: {about['caution']}")
        for result in run.results:
            show.show_claim(result, screen, as_if_hub=options.as_if_hub)
        for finding in run.findings:
            show.show_finding(finding, screen, as_if_hub=options.as_if_hub)
    else:
        show.show_listing(run, screen, order, as_if_hub=options.as_if_hub)


def _report(broken: Sequence[Broken]) -> int:
    """Names what is broken on stderr; the exit code."""
    for one in broken:
        output.remark(f"broken: {one.name}: {one.reason}")
    return 1 if broken else 0
