"""What the lineage test said of released models out of packages: a committed file, the same in every lake.

`just calibrate --real --write` writes it (analysis/lineage/real.py, sql/calibration/real_pairs.sql).
"""

from __future__ import annotations

from warehouse.catalog.definitions import SQL

REAL_MODELS_CSV = SQL / "calibration" / "real_models.csv"
REAL_MODELS_TYPES = {
    **dict.fromkeys(("model_a", "model_b", "package_a", "package_b", "relation", "kind"), "VARCHAR"),
    **dict.fromkeys(("both_sinusoidal", "repeated"), "BOOLEAN"),
    "norms_used": "INTEGER",
    **dict.fromkeys(("place_z_a", "place_z_b", "z_weights", "z_biases", "z_eff", "needed_z"), "DOUBLE"),
    **dict.fromkeys(("statistic_used", "verdict", "why"), "VARCHAR"),
}
