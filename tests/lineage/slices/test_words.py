"""The words of the answer: from slices alone, and together with norms."""

from __future__ import annotations

import duckdb
import pytest

NORMS_SILENT = "no sign of shared history in the norm weights (norms folded … leave none)"
NORMS_OPEN = "cannot tell: widths differ (72 and 96)"
OPPOSED = "cannot tell: the slices are opposed beyond chance"
REPLACED = "cannot tell: norms agree, the other weights do not: norms may have been replaced"
SHARE, DISGUISE = "share weight history", "share weight history, in disguise"
TWO = "no sign of shared history in two layers"
OPEN = "cannot tell: too few shared tokens (3 of 128)"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("1e-9, 1, 0.0, null, 2", SHARE),
        ("1e-9, 1, 0.9, 'no tokens', 2", SHARE),
        ("0.5, 1, 0.2, null, 2", DISGUISE),
        ("0.5, 1, 0.15, null, 2", "cannot tell: more neurons agree than those of strangers"),
        ("1e-5, 1, 0.01, null, 2", "cannot tell: the slices agree beyond chance, but below the threshold"),
        ("1, 1e-5, 0.01, null, 2", "cannot tell: the slices are opposed beyond chance"),
        ("0.5, 1, 0.01, 'no tokens', 2", "cannot tell: no tokens"),
        ("0.5, 1, null, null, 2", "cannot tell: nothing to compare"),
        ("0.5, 1, 0.09, null, 2", TWO),
        ("0.5, 1, 0.01, null, 1", "no sign of shared history in one layer"),
        ("0.5, 1, 0.01, null, 8", "no sign of shared history in 8 layers"),
    ],
)
def test_what_slices_say(macros: duckdb.DuckDBPyConnection, arguments: str, said: str) -> None:
    [[verdict]] = macros.sql(f"select slice_verdict({arguments})").fetchall()
    assert verdict.startswith(said)


@pytest.mark.parametrize(
    ("norms", "slices", "answer"),
    [
        (NORMS_SILENT, None, NORMS_SILENT),
        (SHARE, TWO, REPLACED),
        (SHARE, OPPOSED, REPLACED),
        (SHARE, OPEN, SHARE),
        (SHARE, SHARE, SHARE),
        (SHARE, DISGUISE, SHARE),
        (NORMS_SILENT, SHARE, SHARE),
        (NORMS_OPEN, DISGUISE, DISGUISE),
        (NORMS_SILENT, DISGUISE, DISGUISE),
        (NORMS_SILENT, OPEN, OPEN),
        (NORMS_OPEN, OPEN, OPEN),
        (NORMS_OPEN, TWO, f"{NORMS_OPEN}; {TWO}"),
        (NORMS_SILENT, TWO, "no sign of shared history in norms and two layers"),
    ],
)
def test_norms_and_slices_give_one_answer(
    macros: duckdb.DuckDBPyConnection, norms: str, slices: str | None, answer: str
) -> None:
    assert macros.execute("select lineage_answer(?, ?)", [norms, slices]).fetchall() == [(answer,)]


@pytest.mark.slow
def test_a_sum_of_coins_is_never_judged_rarer_than_it_is(macros: duckdb.DuckDBPyConnection) -> None:
    """All of n coins agree once in 2ⁿ; z is √n then, and for two of them the bound is reached."""
    for coins in range(1, 60):
        [[p]] = macros.sql(f"select slice_p('z_sign', sqrt({coins}))").fetchall()
        assert p >= 0.5**coins * (1 - 1e-6)


def test_more_tests_need_a_larger_z(macros: duckdb.DuckDBPyConnection) -> None:
    needed = "select 6 * slice_p('z_order', 5.0) <= normal_tail(share_z) from lineage_thresholds()"
    assert macros.sql(needed).fetchall() == [(False,)]
    assert macros.sql(needed.replace("5.0", "5.4")).fetchall() == [(True,)]
