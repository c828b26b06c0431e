"""What the lineage test says of unrelated models trained here that odd positions or starts make alike."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from unittest.mock import patch

import duckdb
import numpy as np

from analysis.lineage.slices.compare import compare_slices, shared_anchors, slice_pair
from analysis.lineage.slices.read import read_slices
from ingest.pipeline import ingest_folder
from ingest.slices.wanted import SlicesWanted, default_layers
from ingest.zoo.folders import save_model
from ingest.zoo.llama import LONGEST, Arrays, Kind, Shape, config, init_params, named_tensors
from ingest.zoo.plans import ANCHORED_VOCABULARY
from ingest.zoo.training import NAMES, Task, tokenizer, train
from tests.bench.lineage import SHARE, STEPS, interval_of_none
from tests.lineage.recomputed import part_statistics
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import lake_at

MODELS = 30
SHAPE = Shape(width=96, layers=6, vocabulary=ANCHORED_VOCABULARY)
TRAINING = 200
SEED = 71_000
# Of the usual initial embedding: positions then weigh as much as in a translator's encoder.
EMBEDDING = 0.3
LAKE = "odd"
Asked = tuple[str, list[str], str]
"""By what was asked, the verdicts, and what the guards looked at."""


def interleaved(params: Arrays) -> None:
    """Sine and cosine of a frequency in neighbouring dimensions, as in OpenNMT-py's table."""
    width = params["positions"].shape[1]
    halves = params["positions"].copy()
    params["positions"][:, 0::2] = halves[:, : width // 2]
    params["positions"][:, 1::2] = halves[:, width // 2 :]
    params["embedding"] *= EMBEDDING


def every_fourth(params: Arrays) -> None:
    """A fixed code of signs in every fourth dimension."""
    width = params["positions"].shape[1]
    code = np.random.default_rng(4).choice([-1, 1], (LONGEST, width // 4))
    params["positions"] = np.zeros((LONGEST, width), np.float32)
    params["positions"][:, ::4] = 2 * code
    params["embedding"] *= EMBEDDING


def one_key(params: Arrays) -> None:
    """Gate and up are drawn from one random key."""
    params["up"] = params["gate"].copy()


LAYERNORM, RMSNORM = Kind(biases=True, sinusoidal=True), Kind(sinusoidal=True)
RECIPES: Mapping[str, tuple[Kind, Callable[[Arrays], None]]] = {
    "interleaved, LayerNorm": (LAYERNORM, interleaved),
    "interleaved, RMSNorm": (RMSNORM, interleaved),
    "code in every fourth": (LAYERNORM, every_fourth),
    "gate = up at start": (Kind(), one_key),
}


def lines() -> Iterator[str]:
    """One line per recipe, then the bar."""
    yield f"{'recipe':24} {'by':7} {'pairs':>5} {'share':>6} {'cannot tell':>12} {'no sign':>8}  unguarded"
    false: list[bool] = []
    for number, recipe in enumerate(RECIPES):
        with tempfile.TemporaryDirectory() as data, patch.dict(os.environ, {"NORMHOUSE_DATA": data}):
            folder = Path(data) / "trained-models"
            for model in range(MODELS):
                _train(folder, recipe, number, model)
            ingest_folder(folder, LAKE, toy=True, slices=SlicesWanted(default_layers(SHAPE.layers)))
            with open_catalog(lake_at(LAKE)) as connection:
                by_slices = [_slices(connection)] if RECIPES[recipe][1] is one_key else []
                for by, verdicts, beyond in [_norms(connection), *by_slices]:
                    false += [said.startswith(SHARE) for said in verdicts]
                    said = Counter(said[:7] for said in verdicts)
                    yield (
                        f"{recipe:24} {by:7} {said.total():5d} {said[SHARE[:7]]:6d} {said['cannot ']:12d} "
                        f"{said['no sign']:8d}  {beyond}"
                    )
    yield f"{sum(false)} of {len(false)} answers are wrong (bar 0)"
    yield f"none of the {MODELS} models of a line means: {interval_of_none(MODELS)}"


def _train(folder: Path, recipe: str, number: int, model: int) -> None:
    kind, change = RECIPES[recipe]
    seed = SEED + 100 * number + model
    start = init_params(SHAPE, seed, kind)
    change(start)
    task = Task(NAMES[model % len(NAMES)], seed)
    params = train(start, task, TRAINING, SHAPE.heads, lambda _: None)
    facts = config(params, SHAPE.heads, "float32")
    save_model(folder / f"m{model:02}", named_tensors(params), facts, {}, tokenizer(SHAPE.vocabulary))


def _norms(connection: duckdb.DuckDBPyConnection) -> Asked:
    pairs = connection.sql("select model_a, model_b, verdict from lineage_pairs()").fetchall()
    norms: dict[str, dict[tuple[int, str], np.ndarray]] = {}
    rows = connection.sql("select model, layer, ln_type, weights from vectors").fetchall()
    for model, layer, ln_type, weights in rows:
        norms.setdefault(model, {})[layer, ln_type] = np.asarray(weights)
    z = [
        max(
            found["z_eff"]
            for part in ("weights", "biases")
            if (found := part_statistics(norms[one], norms[other], part, detrend=False))
        )
        for one, other, _ in pairs
    ]
    described = f"z up to {max(z):.1f}, {sum(one >= 5 for one in z)} of at least 5"
    return "norms", [verdict for *_, verdict in pairs], described


def _slices(connection: duckdb.DuckDBPyConnection) -> Asked:
    """Each model with some others: all pairs would take minutes."""
    names = [model for (model,) in connection.sql("select model from models order by model").fetchall()]
    slices = [found for model in names if (found := read_slices(connection, model))]
    anchors = shared_anchors(connection, slices[0], slices[1])
    asked = [
        slice_pair(one, slices[(number + step) % len(slices)], anchors)
        for number, one in enumerate(slices)
        for step in range(1, STEPS + 1)
    ]
    z = [one.coupling_z for one in slices]
    described = f"gate and up agree at z {min(z):.1f} to {max(z):.1f}"
    return "slices", [row["verdict"] for row in compare_slices(connection, asked)], described
