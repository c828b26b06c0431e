"""What findings call impossible never happens: no vectors, measured and printed, break their bounds.

Each test prints the figures of made-up vectors in place of the documents' and asks the finding's own query.
Some of the vectors come as near to the bound as vectors can, so that a bound too narrow is noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from analysis.claims.claim_file import FINDINGS, read_claim
from tests.claims.by_numpy import Doubles, cosine, pearson, rel_l2
from warehouse.catalog.definitions import definitions
from warehouse.documents import PRINTED, read_printed

MOE = ("solar", "glm", "phi", "mixtral")
WIDTH = 400
Row = dict[str, Any]
Figure = Callable[[Row], float | None]
"""What is to be printed in a row; None leaves it as it is."""


def impossible(name: str, figure: Figure) -> dict[str, bool]:
    """What a finding calls impossible when the documents print these figures, to as many digits."""
    rows = read_printed().to_pylist()
    for row in rows:
        value = figure(row) if row["value"] is not None else None
        if value is not None:
            row["value"] = round(value / (2 * row["half_digit"])) * 2 * row["half_digit"]
    query = read_claim(FINDINGS / f"{name}.sql").query
    with duckdb.connect() as connection:
        connection.register("printed", pa.Table.from_pylist(rows, schema=PRINTED.schema))
        for view in definitions():
            if view.name.startswith("printed_"):
                connection.execute(view.statement)
        found = connection.execute(f"select item, holds from ({query})").fetchall()
    return dict(found)


def norm(draw: np.random.Generator, mean: float, pattern: Doubles | None = None) -> Doubles:
    """Values around a mean, with a standard deviation of about 1."""
    return mean + (draw.normal(0, 1, WIDTH) if pattern is None else pattern)


@pytest.mark.parametrize("glm_is_solar", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_one_of_six_cosines_lies_within_the_spread_of_the_six(seed: int, glm_is_solar: bool) -> None:
    """It is furthest out when one pair is a copy and the others are all alike."""
    draw = np.random.default_rng(seed)
    norms = {model: norm(draw, draw.uniform(0.5, 3) if seed else 1) for model in MOE}
    if glm_is_solar:
        norms["glm"] = norms["solar"] + draw.normal(0, 0.01, WIDTH)
    cosines = [cosine(norms[a], norms[b]) for a, b in combinations(MOE, 2)]

    def figure(row: Row) -> float | None:
        if row["section"] == "D-2.1" and row["metric"] == "cosine":
            return cosine(norms["solar"], norms["glm"])
        if row["section"] == "Experiment 4" and row["scope"] == "moe_pairs":
            return float(np.mean(cosines) if row["aggregate"] == "mean" else np.std(cosines))
        return None

    found = impossible("d2_1_against_exp4", figure)
    assert len(found) > 0
    assert not any(found.values()), found


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_a_cosine_with_layer_0_is_within_what_layer_10_leaves(seed: int, is_shared: bool) -> None:
    """With one pattern common to all layers but layer 10, r is 1 and a cosine as high as it can be."""
    draw = np.random.default_rng(seed)
    pattern = draw.normal(0, 1, WIDTH) if is_shared else None
    norms: dict[tuple[str, int], Doubles] = {}
    for model in ("solar", "glm"):
        norms[model, 10] = norm(draw, draw.uniform(3, 6))
        # the claim takes the printed Pearson between the two layers to be above 0, so it is
        tilt = 0.1 * (norms[model, 10] - norms[model, 10].mean())
        norms[model, 0] = norm(draw, draw.uniform(0.05, 0.5), pattern) + tilt
        for layer in (23, 46):
            norms[model, layer] = norm(draw, draw.uniform(0.5, 3), pattern)

    def figure(row: Row) -> float | None:
        one, other = ((row[f"model_{side}"], row[f"layer_{side}"]) for side in "ab")
        if row["metric"] not in ("cosine", "pearson") or one not in norms or other not in norms:
            return None
        return (cosine if row["metric"] == "cosine" else pearson)(norms[one], norms[other])

    found = impossible("layer_0_cosines", figure)
    pairs = {item: holds for item, holds in found.items() if item in ("s0_g0", "s0_g23", "s46_g0")}
    assert pairs == dict.fromkeys(("s0_g0", "s0_g23", "s46_g0"), False)


@pytest.mark.parametrize("is_one_line", [False, True])
@pytest.mark.parametrize(("below", "item"), [("phi", "over_phi"), ("glm", "over_glm")])
@pytest.mark.parametrize("seed", range(3))
def test_three_relative_distances_of_vectors_make_a_triangle(
    seed: int, below: str, item: str, is_one_line: bool
) -> None:
    """The least that is possible happens when all three point the same way."""
    draw = np.random.default_rng(seed)
    norms = {model: norm(draw, draw.uniform(0, 2)) for model in ("solar", "phi", "glm")}
    if is_one_line:
        norms |= {"phi": draw.uniform(1, 1.5) * norms["solar"], "glm": draw.uniform(2, 4) * norms["solar"]}

    def figure(row: Row) -> float | None:
        if row["section"] != "4.4" or row["metric"] != "rel_l2" or row["model_a"] is None:
            return None
        if {row["model_a"], row["model_b"]} == {"phi", "glm"}:
            return rel_l2(norms[below], norms["glm" if below == "phi" else "phi"])
        return rel_l2(norms[row["model_a"]], norms[row["model_b"]])

    # over Phi the finding says that it cannot be, over GLM that it can
    assert impossible("rel_l2_triangle", figure)[item] == (item == "over_glm")
