"""What small models say of the method's statements about norms is what numpy says of the same vectors."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from analysis.claims.claim_file import read_claims
from analysis.claims.results import Item, Judged, Result, Run, counts, counts_lines, is_of_a_method
from tests.claims.by_numpy import (
    Doubles,
    about_weights,
    cosine,
    l2_distance,
    of_claims,
    pearson,
)
from tests.claims.planted import LAYERS
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

Norms = dict[tuple[int, str], Doubles]

READ = """
    select model, layer, ln_type, weights from vectors
    where
        not ends_with(ln_type, '_bias')
        and (
            model in (select child from lineage_truth where parent is null)
            or model similar to '.*_ft_.*(low|high)'
        )
"""


def compared(a: Norms, b: Norms) -> tuple[float, float, float]:
    """Concatenated cosine, relative change and mean correlation of two models."""
    assert a.keys() == b.keys()
    x, y = (np.concatenate([norms[key] for key in sorted(a)]) for norms in (a, b))
    correlation = float(np.mean([pearson(a[key], b[key]) for key in a]))
    return cosine(x, y), l2_distance(x, y) / float(np.sqrt(x @ x)), correlation


@pytest.mark.slow
def test_the_norm_fingerprint_is_what_numpy_computes(shipped_zoo: Lake, replica_run: Run) -> None:
    found = of_claims(replica_run, lambda claim: claim.group == "cisco")
    with open_catalog(shipped_zoo) as connection:
        norms: dict[str, Norms] = {}
        for model, layer, ln_type, weights in connection.execute(READ).fetchall():
            norms.setdefault(model, {})[layer, ln_type] = np.array(weights, dtype=np.float64)
        truth = connection.execute("select child, parent, kind from lineage_truth").fetchall()
    bases = {child: kind for child, parent, kind in truth if parent is None}
    children = [
        compared(norms[parent], norms[child]) for child, parent, _ in truth if parent and child in norms
    ]
    strangers = [
        compared(norms[a], norms[b]) for a, b in combinations(sorted(bases), 2) if bases[a] == bases[b]
    ]
    assert len(children) == 32
    made, apart = np.array(children), np.array(strangers)
    expected = {
        "specific": (made[:, 2].min() - apart[:, 2].max(), True),
        "specific@concatenated_cosine": (made[:, 0].min() - apart[:, 0].max(), False),
        "barely_change": (np.median(made[:, 1]), True),
    }
    for item, (observed, holds) in expected.items():
        assert found[f"cisco.nlf.{item}"].observed == pytest.approx(observed, rel=1e-6), item
        assert found[f"cisco.nlf.{item}"].holds == holds, item
    for item, median in {
        "fine_tuned_0_998": np.median(made[:, 0]),
        "independent_0_50": np.median(apart[:, 0]),
    }.items():
        reading = found[f"cisco.nlf.{item}"]
        assert reading.is_undefined
        assert str(reading.statement).endswith(f" {median:.3f}")


def test_models_of_32_layers_are_counted(twelve_run: Run) -> None:
    found = about_weights(twelve_run, "cisco")
    assert 32 in LAYERS.values()
    assert found["cisco.nlf.vectors_64_to_128"].observed == 2 * 32 + 1
    assert found["cisco.nlf.width_is_hidden_size"].observed == 0


def test_a_method_is_counted_apart_from_the_argument() -> None:
    claim = read_claims()[0][0]
    of_method = Judged(Item("cisco.one", "cisco", "toy", "One."), "reproduced", ())
    of_document = Judged(Item("sionic.two", "sionic", "toy", "Two."), "contradicted", ())
    run = Run(results=[Result(claim, (of_method,)), Result(claim, (of_document,))])
    assert (counts(run)["reproduced"], counts(run)["contradicted"]) == (0, 1)
    assert counts(run, ("method",))["reproduced"] == 1
    assert counts_lines(run) == [
        "documents: 1 item in 1 claim: 1 contradicted",
        "methods of others: 1 item: 1 reproduced",
    ]


def test_claims_about_methods_are_those_of_cisco() -> None:
    claims = read_claims()[0]
    of_methods = {claim.id for claim in claims if is_of_a_method(claim)}
    assert of_methods == {claim.id for claim in claims if claim.group == "cisco"}
    assert of_methods
