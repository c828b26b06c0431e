"""What the planted models cannot show of the figures' claims: layers that tie."""

from __future__ import annotations

import pytest

from analysis.claims.claim_file import CLAIMS, read_claim
from analysis.claims.run import readings_of
from warehouse.catalog.connections import connect
from warehouse.documents import read_printed


@pytest.mark.parametrize(("behind", "best"), [(0.0, 41), (1.5e-8, 41), (1e-6, 45)])
def test_layers_that_single_precision_cannot_tell_apart_tie_for_the_best(behind: float, best: int) -> None:
    with connect() as connection:
        connection.from_arrow(read_printed()).create("printed")
        connection.execute(
            "create table matched_layers as "
            "select 'glm' as model_a, 'intellect' as model_b, 'input_layernorm' as ln_type, "
            "unnest([10, 41, 45]) as layer, unnest([0.99, 0.9999 - ?, 0.9999]) as cosine, 1.0 as pearson",
            [behind],
        )
        readings = readings_of(connection, read_claim(CLAIMS / "sionic" / "figure_3.sql"))
    assert {row.item: row.observed for row in readings}["sionic.fig3.best_layer_41"] == best
