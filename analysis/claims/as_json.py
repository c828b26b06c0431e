"""A run as one JSON object, for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from analysis.claims.claim_file import Claim
from analysis.claims.ledger import Change
from analysis.claims.run import Run
from analysis.claims.show import counts, finding_counts


def as_json(run: Run, changes: Sequence[Change] | None, about: Mapping[str, object]) -> dict[str, object]:
    """What `about` says of lake and run, counts, claims with items and readings, findings, changes."""
    claims = [
        {
            **_header(result.claim),
            "note": result.note,
            "counts": result.counts,
            "items": [
                {
                    **asdict(judged.item),
                    "verdict": judged.verdict,
                    "readings": [asdict(reading) for reading in judged.readings],
                    "measured": [asdict(one) for one in judged.measured],
                }
                for judged in result.items
            ],
        }
        for result in run.results
    ]
    findings = [
        {
            **_header(finding.claim),
            "note": finding.note,
            "verdict": finding.verdict,
            "checks": [asdict(reading) for reading in finding.readings],
        }
        for finding in run.findings
    ]
    told: dict[str, object] = {
        **about,
        "counts": counts(run),
        "finding_counts": finding_counts(run.findings),
        "claims": claims,
        "findings": findings,
        "broken": [asdict(claim) for claim in run.broken],
    }
    if changes is not None:
        told["changes"] = [asdict(change) for change in changes]
    return told


def _header(claim: Claim) -> dict[str, object]:
    return {**asdict(claim), "sha256": claim.sha256}
