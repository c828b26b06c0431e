"""The columns of tables that a lake may not have yet, so that views over them are empty, not missing."""

from __future__ import annotations

import pyarrow as pa

from warehouse.features.build import PER_MODEL, empty_features
from warehouse.schemas import (
    DETRENDED_RANKS,
    DUPLICATES,
    MODELS,
    NORMS,
    PROJECTIONS,
    SLICE_ROWS,
    SLICES,
    TENSORS,
)

_TEXT, _NUMBER = pa.string(), pa.float64()

# one row per reading and run of the claims; the verdict is its item's
LEDGER = pa.schema(
    [("run", _TEXT), ("run_at", pa.timestamp("s", tz="UTC")), ("claim", _TEXT), ("version", pa.int32())]
    + [(name, _TEXT) for name in ("sql_sha256", "fingerprint", "item", "reading")]
    + [(name, _NUMBER) for name in ("expected", "tolerance", "observed")]
    + [("holds", pa.bool_()), ("verdict", _TEXT)]
)

# one row per model of the zoo and parent it was made from
LINEAGE_TRUTH = pa.schema(
    [(name, _TEXT) for name in ("child", "parent", "transformation", "kind")]
    + [("related", pa.bool_()), ("why", _TEXT)]
)

# one row per two real models out of packages
PACKAGED_TRUTH = pa.schema(
    [(name, _TEXT) for name in ("model_a", "model_b", "package_a", "package_b", "relation")]
    + [("both_sinusoidal", pa.bool_()), ("repeated", pa.bool_()), ("why", _TEXT)]
)

# one row per model of the init experiment
TOY_LOSSES = pa.schema(
    [
        ("model", _TEXT),
        ("stream", pa.int32()),
        ("size", _TEXT),
        ("steps", pa.int32()),
        ("first_loss", _NUMBER),
        ("last_loss", _NUMBER),
    ]
)

# one row per two models of the zoo whose relation is known
CALIBRATION_PAIRS = pa.schema(
    [(name, _TEXT) for name in ("model_a", "model_b", "relation", "grouping", "transformation", "kind")]
    + [("norms_used", pa.int32())]
    + [
        (name, _NUMBER)
        for name in ("cosine", "pearson", "k_eff", "z_naive", "z_eff", "z_weights", "z_biases")
    ]
    + [("statistic_used", _TEXT), ("verdict", _TEXT)]
)

_SCHEMAS = {
    "norms": NORMS,
    "models": MODELS,
    "duplicates": DUPLICATES,
    "tensors": TENSORS,
    "detrended_ranks": DETRENDED_RANKS,
    "projections": PROJECTIONS,
    "slices": SLICES,
    "slice_rows": SLICE_ROWS,
    "ledger": LEDGER,
    "lineage_truth": LINEAGE_TRUTH,
    "packaged_truth": PACKAGED_TRUTH,
    "toy_losses": TOY_LOSSES,
    "calibration_pairs": CALIBRATION_PAIRS,
}


def empty_table(table: str) -> pa.Table:
    """The table without a row; `vectors` and its like have the columns that packing gives."""
    if table in _SCHEMAS:
        return _SCHEMAS[table].empty_table()
    return empty_features(table if table in PER_MODEL else "vectors")
