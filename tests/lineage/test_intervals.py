"""Intervals of rates contain the truth about as often as they say."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from analysis.lineage.rates import counted, over_models, rate_of, wilson


@pytest.mark.parametrize(
    ("found", "of", "low", "high"),
    [(0, 10, 0, 0.278), (10, 10, 0.722, 1), (5, 10, 0.237, 0.763), (0, 0, 0, 1)],
)
def test_wilson_gives_the_published_values(found: int, of: int, low: float, high: float) -> None:
    assert wilson(found, of) == pytest.approx((low, high), abs=1e-3)


def test_pairs_that_share_models_get_a_wider_interval_than_as_many_independent_ones() -> None:
    """Every pair of two odd models out of twenty is wrong: it is the model that errs, not the pair."""
    names = [f"m{number:02}" for number in range(40)]
    pairs = [(one, other, one in names[:4] or other in names[:4]) for one, other in combinations(names, 2)]
    low, high = over_models(pairs)
    narrow = wilson(sum(wrong for *_, wrong in pairs), len(pairs))
    assert low < narrow[0] < np.mean([wrong for *_, wrong in pairs]) < narrow[1] < high


def test_without_an_error_only_disjoint_pairs_count() -> None:
    pairs = [(one, other, False) for one, other in combinations("abcdefgh", 2)]
    assert over_models(pairs) == wilson(0, 4)


def test_pairs_of_children_of_one_base_count_as_one() -> None:
    """Three bases with ten children each, all found: that is three trials, not thirty."""
    pairs = [(base, base, True) for base in "abc" for _ in range(10)]
    assert over_models(pairs) == wilson(3, 3)


def test_few_models_do_not_make_an_interval_narrower_than_independent_pairs() -> None:
    pairs = [(base, base, number > 0) for base in "abc" for number in range(10)]
    low, high = over_models(pairs)
    assert (low, high) == wilson(27, 30)


def test_words_have_the_size_of_the_sample() -> None:
    rate = rate_of([(f"a{n}", f"b{n}", n < 3) for n in range(40)])
    assert counted(rate, "are wrong").startswith(
        "3 of 40 are wrong (95 % interval 2.6 to 19.9 % if pairs were independent, "
    )
    assert counted(rate, "are wrong").endswith(" by the 80 models they come from)")
