"""A lake as a stranger could publish it: every text tries to control a terminal, or to run in a page."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

import numpy as np
import pyarrow as pa

from tests.sql.lakes import INPUT, bf16, random_model, write_lake
from warehouse.lake import Lake
from warehouse.rows import ModelRow
from warehouse.storage.parquet import write_model, write_table
from warehouse.tables import TABLES

# Escape sequences of 7 and 8 bits, a bell, DEL; then invisible ones: direction, width 0, line separators.
CONTROL = "\x1b]0;owned\x07\x1b[2J\x9b2J\x7f\u202eevil\u2066\u200b\u2028"
LINE = "lake hub: 3 models (hub)"
"""As a line of its own it would pass for one of ours."""
RUN = "window.taken=1"
MARKUP = (
    f"</script><script>{RUN}</script><img src=x onerror={RUN}>\"'><svg onload={RUN}>${{{RUN}}}{{{{{RUN}}}}}"
)
TEXT = f"{MARKUP}{CONTROL}\n{LINE}\n"

# Model names must obey a rule: a lake that breaks it is refused.
MODEL, RELATIVE = "model", "relative"
KEPT = {"model", "norms_digest", "tensors_digest", "projections_digest"}


def hostile_lake(path: Path) -> Lake:
    """Two related models, one without relation, and one that a crawl did not store again."""
    vectors = {**random_model(1), **{(layer, TEXT): random_model(5)[layer, INPUT] for layer in range(4)}}
    relative = {key: bf16(values * np.float32(1.01)) for key, values in vectors.items()}
    models = {MODEL: vectors, RELATIVE: relative, "solar": random_model(2)}
    lake = write_lake(path, models)
    for model in models:
        row = lake.model(model)
        texts = {one.name for one in fields(row) if one.type in ("Source", "str", "str | None")} - KEPT
        write_model(lake.file("models", model), ModelRow(**{**asdict(row), **dict.fromkeys(texts, TEXT)}), {})
    copy = {**asdict(lake.model(MODEL)), "model": TEXT, "repo": TEXT}
    schema = TABLES["duplicates"].schema
    columns = [pa.array([copy[field.name]], field.type) for field in schema]
    (lake.path / "duplicates").mkdir()
    write_table(lake.path / "duplicates/duplicates.parquet", pa.table(columns, schema=schema), {})
    return lake
