"""The packed inner products mean what the long join in `sql/reference` says, also for awkward vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.sql.conftest import rows
from tests.sql.lakes import INPUT, POST, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import SQL

REFERENCE = (SQL / "reference" / "inner_products.sql").read_text()


@pytest.mark.slow
def test_every_inner_product_equals_the_long_join_to_1e_12(tmp_path: Path) -> None:
    random = np.random.default_rng(11)

    def normal(mean: float, std: float) -> np.ndarray:
        return random.normal(mean, std, 512).astype(np.float32)

    kinds = {
        "random": normal(0, 1),
        "shifted": normal(1, 0.1),
        "nearly_constant": normal(1, 1e-4),
        "constant": np.full(512, 0.3, np.float32),
        "huge": normal(1e30, 1e29),
        "tiny": normal(1e-30, 1e-31),
        "subnormal": normal(0, 1e-41),
        "outlier": np.append(normal(0.1, 0.01)[:-1], np.float32(1e4)),
    }
    models = {name: {(0, INPUT): values, (1, INPUT): values[::-1].copy()} for name, values in kinds.items()}
    models["narrow"] = {(0, INPUT): normal(1, 1)[:100], (0, POST): normal(1, 1)}
    lake = write_lake(tmp_path / "lake", models)
    with open_catalog(lake) as connection:
        meant = {_key(row): row for row in rows(connection, REFERENCE)}
        found = {_key(row): row for row in rows(connection, "from pairs")}
        stats = {
            (row["model"], row["layer"], row["ln_type"]): row for row in rows(connection, "from vector_stats")
        }
    assert meant.keys() == found.keys()
    for key, row in meant.items():
        # A product of nearly orthogonal vectors is small against its terms, so lengths set the scale.
        model_a, layer_a, model_b, layer_b, ln_type = key
        a, b = stats[model_a, layer_a, ln_type], stats[model_b, layer_b, ln_type]
        lengths = a["l2_norm"] * b["l2_norm"]
        spreads = a["d"] * a["std"] * b["std"]
        assert abs(found[key]["inner_product"] - row["inner_product"]) <= 1e-12 * lengths, key
        # The long join's mean is rounded once: its own error is a share of the mean, not of the spread.
        rounding = 1e-15 * lengths
        product = (found[key]["pearson"] or 0) * spreads
        assert abs(product - row["pattern_product"]) <= 1e-12 * spreads + rounding, key


def test_the_reference_is_plain_sql_without_list_functions() -> None:
    code = "\n".join(line for line in REFERENCE.splitlines() if not line.startswith("--"))
    for word in ("list", "lambda", "unnest", "[", "::", "using", "group by all"):
        assert word not in code


def _key(row: dict[str, object]) -> tuple[object, ...]:
    return tuple(row[name] for name in ("model_a", "layer_a", "model_b", "layer_b", "ln_type"))
