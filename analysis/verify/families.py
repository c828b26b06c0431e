"""Finds the families of a lake: models that share weight history, directly or through others.

Comparing all pairs of thousands of models would take hours. Sketches choose whom to compare, as for
`just nearest`, and models that are known to be of one family are not compared again. Whether two models share
weight history is decided by the lineage test alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import duckdb
import numpy as np

from analysis.lineage.nearest import LIKELY_BY_CHANCE
from analysis.lineage.pair import answered
from analysis.rows import fetch_dicts
from warehouse.console.output import remark

# Of unrelated models, about so many pairs of one width are compared, the most alike by their sketches; in a
# lake with no more pairs, all are. Of the likely relatives of one model, at most so many.
BY_CHANCE, MOST_OF_ONE = 20_000, 100
# Pairs in one query: two models of 65 norms, 4096 wide, are 2 MB of ranks.
PORTION = 1_000
BLOCK = 512

SKETCHES = """
select width, width * sketch_sums(width) as bits_used, list(model order by model) as models,
    list(bits order by model) as bits
from sketches
where bits is not null
group by width
having count(*) > 1
"""
TESTED = """
select
    model_a, model_b, z_eff, verdict,
    expected_false_matches(p, z_weights, z_biases, $searched) as by_chance
from lineage_verdicts(groups := $groups)
"""
SLICED = "select distinct model from slices"

Pair = tuple[str, str]


@dataclass
class Groups:
    """Things that belong together, directly or through others."""

    parents: dict[str, str] = field(default_factory=dict)

    def find(self, one: str) -> str:
        """The member that stands for the group of this one."""
        root = one
        while (parent := self.parents.get(root, root)) != root:
            root = parent
        while one != root:
            self.parents[one], one = root, self.parents.get(one, one)
        return root

    def join(self, one: str, other: str) -> None:
        """The first in alphabetical order stands for both."""
        first, second = sorted((self.find(one), self.find(other)))
        self.parents[second] = first


@dataclass(frozen=True)
class Link:
    """Two models of the lake that were found to share weight history."""

    model_a: str
    model_b: str
    z_eff: float | None
    by_chance: float | None


def find_links(connection: duckdb.DuckDBPyConnection, families: Groups) -> list[Link]:
    """Join the families that share weight history, if more than chance finds among so many pairs."""
    links: list[Link] = []
    for row in fetch_dicts(connection, SKETCHES):
        searched = len(row["models"]) * (len(row["models"]) - 1) // 2
        links += _links(connection, families, likely_pairs(row, families), searched)
    return links


def likely_pairs(row: Mapping[str, Any], families: Groups) -> list[Pair]:
    """Models of one width and different families, the most alike by their sketches first."""
    models = row["models"]
    signs = _signs(np.array(row["bits"], np.int64))
    padding, scale = signs.shape[1] - row["bits_used"], np.sqrt(row["bits_used"])
    least = least_z(len(models) * (len(models) - 1) // 2)
    numbers: dict[str, int] = {}
    family = np.array([numbers.setdefault(families.find(model), len(numbers)) for model in models])
    found: dict[tuple[int, int], float] = {}
    for begin in range(0, len(models), BLOCK):
        z_sketch = (signs[begin : begin + BLOCK] @ signs.T - padding) / scale
        for one, row_of_one in enumerate(z_sketch, start=begin):
            likely = np.flatnonzero((row_of_one >= least) & (family != family[one]))
            if likely.size > MOST_OF_ONE and math.isfinite(least):
                likely = likely[np.argpartition(row_of_one[likely], -MOST_OF_ONE)[-MOST_OF_ONE:]]
            for other in likely.tolist():
                found[min(one, other), max(one, other)] = float(row_of_one[other])
    ordered = sorted(found, key=lambda pair: (-found[pair], pair))
    return [(models[one], models[other]) for one, other in ordered]


def least_z(pairs: int) -> float:
    """The z_sketch that so many unrelated pairs reach BY_CHANCE times."""
    return NormalDist().inv_cdf(1 - BY_CHANCE / pairs) if pairs > BY_CHANCE else -math.inf


def _signs(bits: np.ndarray) -> np.ndarray:
    """The bits as 1 and −1: the product of two rows is how many more agree than differ."""
    ones = np.unpackbits(bits.view(np.uint8), axis=1)
    return 2 * ones.astype(np.float32) - 1


def _links(
    connection: duckdb.DuckDBPyConnection, families: Groups, left: list[Pair], searched: int
) -> list[Link]:
    """Compare pairs in rounds: once two models are of one family, no pair of theirs is compared again."""
    links: list[Link] = []
    most = 1
    while left:
        chosen, left = _round(families, left, most)
        if len(chosen) > PORTION:
            remark(f"comparing {len(chosen):,} likely pairs")
        for link in tested(connection, chosen, searched):
            if families.find(link.model_a) != families.find(link.model_b):
                families.join(link.model_a, link.model_b)
                links.append(link)
        most *= 2
    return links


def _round(families: Groups, pairs: Sequence[Pair], most: int) -> tuple[list[Pair], list[Pair]]:
    """The likeliest pairs of each family, and those left; pairs within a family are neither."""
    chosen: list[Pair] = []
    left: list[Pair] = []
    taken: Counter[str] = Counter()
    for one, other in pairs:
        ends = (families.find(one), families.find(other))
        if ends[0] == ends[1]:
            continue
        if min(taken[end] for end in ends) < most:
            chosen.append((one, other))
            taken.update(ends)
        else:
            left.append((one, other))
    return chosen, left


def tested(connection: duckdb.DuckDBPyConnection, pairs: Sequence[Pair], searched: int) -> Iterator[Link]:
    """Those that share weight history by the lineage test, with slices where both models have them."""
    sliced = {model for (model,) in connection.sql(SLICED).fetchall()}
    for begin in range(0, len(pairs), PORTION):
        groups = [list(pair) for pair in sorted(pairs[begin : begin + PORTION])]
        for row in fetch_dicts(connection, TESTED, {"groups": groups, "searched": searched}):
            answer = row.pop("verdict")
            if {row["model_a"], row["model_b"]} <= sliced:
                answer = answered(connection, row["model_a"], row["model_b"]).answer
            if answer.startswith("share weight history") and (row["by_chance"] or 0) < LIKELY_BY_CHANCE:
                yield Link(**row)
