"""The documents' metrics in numpy, in double precision, and how a claim's answer is held against them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

import duckdb
import numpy as np
import numpy.typing as npt

from analysis.claims.claim_file import Claim
from analysis.claims.results import PLAIN, Reading, Run
from analysis.claims.run import run_claims
from tests.claims.planted import vector

Doubles = npt.NDArray[np.float64]
Answer = tuple[float | None, bool | None]
"""What is observed; whether a qualitative statement holds, None for a figure, which the runner judges."""


def cosine(a: Doubles, b: Doubles) -> float:
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def pearson(a: Doubles, b: Doubles) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def l2_distance(a: Doubles, b: Doubles) -> float:
    return float(np.sqrt(np.sum((a - b) ** 2)))


def rel_l2(a: Doubles, b: Doubles) -> float:
    return l2_distance(a, b) / float(np.sqrt(a @ a))


def mean_abs_diff(a: Doubles, b: Doubles) -> float:
    return float(np.mean(np.abs(a - b)))


def abs_q99(a: Doubles) -> float:
    return float(np.quantile(np.abs(a), 0.99))


def p99_abs_diff(a: Doubles, b: Doubles) -> float:
    return abs(abs_q99(a) - abs_q99(b))


def cv(a: Doubles) -> float:
    return float(np.std(a) / abs(np.mean(a)))


METRICS = {
    "cosine": cosine,
    "pearson": pearson,
    "l2_distance": l2_distance,
    "rel_l2": rel_l2,
    "mean_abs_diff": mean_abs_diff,
    "p99_abs_diff": p99_abs_diff,
}


def measure(metric: str, ln_type: str, model_a: str, layer_a: int, model_b: str, layer_b: int) -> float:
    """A metric of two planted vectors."""
    return METRICS[metric](vector(model_a, ln_type, layer_a), vector(model_b, ln_type, layer_b))


def furthest(values: Iterable[float], centre: float = 0.0) -> float:
    return max(values, key=lambda value: abs(value - centre))


def readings_by_name(
    connection: duckdb.DuckDBPyConnection, claims: Iterable[Claim], findings: Iterable[Claim] = ()
) -> dict[str, Reading]:
    """Every reading by its item, or `item@reading` if it is not the plain one; a broken claim fails.

    The checks of a finding, whose names are its own, by `findings.name.check`.
    """
    run = run_claims(connection, claims, findings=findings)
    assert run.broken == []
    return of_claims(run, lambda _: True) | of_findings(run)


def of_claims(run: Run, is_asked: Callable[[Claim], bool]) -> dict[str, Reading]:
    """The same for some claims of a run."""
    rows = [row for result in run.results if is_asked(result.claim) for row in result.readings]
    return {row.item if row.reading == PLAIN else f"{row.item}@{row.reading}": row for row in rows}


def about_weights(run: Run, *groups: str) -> dict[str, Reading]:
    """Of the claims of these groups that read weights."""
    return of_claims(run, lambda claim: claim.group in groups and claim.evidence == "weights")


def of_findings(run: Run) -> dict[str, Reading]:
    return {f"{one.claim.id}.{row.item}": row for one in run.findings for row in one.readings}


def assert_same(checks: Mapping[str, Reading], answers: Mapping[str, Answer]) -> None:
    """Each item has a counterpart in numpy, each counterpart an item, and both say the same."""
    assert checks.keys() == answers.keys(), checks.keys() ^ answers.keys()
    for item, (observed, holds) in answers.items():
        check = checks[item]
        if observed is None:
            assert check.observed is None, item
        else:
            assert check.observed is not None, item
            assert math.isclose(check.observed, observed, rel_tol=1e-9, abs_tol=1e-12), (
                item,
                check,
                observed,
            )
        assert (holds is None) == (check.statement is None), item
        assert holds is None or check.holds == holds, (item, check)
