"""Finds the families of a lake: models that share weight history, directly or through others.

Comparing all pairs of thousands of models would take hours. Sketches choose whom to compare, as for
`just nearest`, and models that are known to be of one family are not compared again. Whether two models share
weight history is decided by the lineage test alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
# A query reads the ranks of so many models times their width: 4,096 models of 65 norms, 512 wide, are 0.5 GB.
MODELS_TIMES_WIDTH = 1 << 21
BLOCK = 512
# More pairs than this take some seconds: say so.
REMARKED = 5_000

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
        likely = likely_pairs(row, families)
        links += _links(connection, families, likely, searched, MODELS_TIMES_WIDTH // row["width"])
    return links


def likely_pairs(row: Mapping[str, Any], families: Groups) -> dict[Pair, float]:
    """Models of one width and different families, and the z of their sketches, highest first."""
    models = row["models"]
    signs = _signs(np.array(row["bits"], np.int64))
    padding, scale = signs.shape[1] - row["bits_used"], np.sqrt(row["bits_used"])
    least = least_z(BY_CHANCE, len(models) * (len(models) - 1) // 2)
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
    return {(models[one], models[other]): found[one, other] for one, other in ordered}


def least_z(by_chance: int, pairs: int) -> float:
    """The z_sketch that so many of these pairs reach if all are unrelated."""
    return NormalDist().inv_cdf(1 - by_chance / pairs) if pairs > by_chance else -math.inf


def _signs(bits: np.ndarray) -> np.ndarray:
    """The bits as 1 and −1: the product of two rows is how many more agree than differ."""
    ones = np.unpackbits(bits.view(np.uint8), axis=1)
    return 2 * ones.astype(np.float32) - 1


def _links(
    connection: duckdb.DuckDBPyConnection,
    families: Groups,
    likely: Mapping[Pair, float],
    searched: int,
    most_models: int,
) -> list[Link]:
    """Compare pairs in rounds: once two models are of one family, no pair of theirs is compared again.

    Those that chance would hardly bring together go first. Most of the others are unrelated: all are compared
    at once.
    """
    links: list[Link] = []
    least = least_z(1, searched)
    left = [pair for pair, z in likely.items() if z >= least]
    unlikely = [pair for pair, z in likely.items() if z < least]
    most: float = 1
    while left or unlikely:
        if not left:
            left, unlikely, most = unlikely, [], math.inf
        chosen, left = _round(families, left, most)
        if (
            most == math.inf
        ):  # where layers resemble each other, chance brings more together than least_z says
            chosen = chosen[:BY_CHANCE]
        if len(chosen) > REMARKED:
            remark(f"comparing {len(chosen):,} likely pairs")
        for link in tested(connection, chosen, searched, most_models):
            if families.find(link.model_a) != families.find(link.model_b):
                families.join(link.model_a, link.model_b)
                links.append(link)
        most *= 2
    return links


def _round(families: Groups, pairs: Sequence[Pair], most: float) -> tuple[list[Pair], list[Pair]]:
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


def tested(
    connection: duckdb.DuckDBPyConnection, pairs: Sequence[Pair], searched: int, most_models: int
) -> Iterator[Link]:
    """Those that share weight history by the lineage test, with slices where both models have them."""
    sliced = {model for (model,) in connection.sql(SLICED).fetchall()}
    for portion in _portions(pairs, most_models):
        for row in fetch_dicts(connection, TESTED, {"groups": portion, "searched": searched}):
            answer = row.pop("verdict")
            if {row["model_a"], row["model_b"]} <= sliced:
                answer = answered(connection, row["model_a"], row["model_b"]).answer
            if answer.startswith("share weight history") and (row["by_chance"] or 0) < LIKELY_BY_CHANCE:
                yield Link(**row)


def _portions(pairs: Iterable[Pair], most_models: int) -> Iterator[list[list[str]]]:
    """Pairs of at most so many models, in order, so that a model is in few portions."""
    portion: list[list[str]] = []
    models: set[str] = set()
    for pair in sorted(pairs):
        if portion and len(models) + 2 > most_models:
            yield portion
            portion, models = [], set()
        portion.append([*pair])
        models.update(pair)
    if portion:
        yield portion
