"""What the lineage test said of a zoo of disguised models: a committed file, the same in every lake.

`just calibrate --slices --lake NAME --write` writes it (analysis/lineage/slices/calibrate.py); the slices
themselves are too large to ship.
"""

from __future__ import annotations

from warehouse.catalog.definitions import SQL

SLICE_CALIBRATION_CSV = SQL / "calibration" / "slice_calibration.csv"
SLICE_CALIBRATION_TYPES = {
    "seed": "INTEGER",
    **dict.fromkeys(("model_a", "model_b", "relation", "grouping", "transformation", "kind"), "VARCHAR"),
    "attacked": "BOOLEAN",
    "z_norms": "DOUBLE",
    **{
        f"{name}_{form}": "DOUBLE"
        for name in ("z_order", "z_sign", "z_tokenless", "share")
        for form in ("folded", "plain")
    },
    "p_exact": "DOUBLE",
    **dict.fromkeys(("by_norms", "verdict"), "VARCHAR"),
}
