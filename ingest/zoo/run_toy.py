"""One run of `just toy`: train four models, save them, ingest them, keep their losses in the lake."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa

from ingest.pipeline import ingest_folder
from ingest.zoo.experiment import RECRUITS, SIZES, STEPS, chunk_of_steps, train
from ingest.zoo.folders import save_model, trained_folder
from ingest.zoo.gpt2 import config, init_params, named_tensors
from warehouse import VERSION
from warehouse.lake import lake_at
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.parquet import write_table
from warehouse.tables import TABLES

WORKERS = 2  # one model does not keep two cores busy
LOSSES_FILE = "toy_losses/toy_losses.parquet"


def run_toy(size: str, out: Path | None, lake_name: str) -> list[str]:
    """Lines that sum up the run; progress goes to stderr."""
    shape = SIZES[size]
    folder = trained_folder("toy" if size == "published" else f"toy_{size}") if out is None else out
    chunk = chunk_of_steps(shape)
    losses: dict[str, list[float]] = {}
    with ThreadPoolExecutor(WORKERS) as pool:
        trained = list(pool.map(lambda recruit: train(recruit, shape, chunk, _say), RECRUITS))
    for recruit, (params, losses[recruit.alias]) in zip(RECRUITS, trained, strict=True):
        facts = {"seed": str(recruit.seed), "stream": str(recruit.stream), "steps": str(STEPS)}
        save_model(folder / recruit.alias, named_tensors(params), config(shape), facts)
        if recruit.norm_seed is not None:
            # where random norm weights began, to see whether training turned them
            begun = named_tensors(init_params(shape, recruit.seed, recruit.norm_seed))
            save_model(folder / f"{recruit.alias}_init", begun, config(shape), {**facts, "steps": "0"})
    ingest_folder(folder, lake_name, toy=True)
    store_losses(lake_name, size, losses)
    return [
        f"{alias}: loss {values[0]:.3f} at the first step, {values[-1]:.3f} at the last"
        for alias, values in losses.items()
    ]


def store_losses(lake_name: str, size: str, losses: Mapping[str, Sequence[float]]) -> None:
    """The table `toy_losses`: nats per token before the first and the last update."""
    streams = {recruit.alias: recruit.stream for recruit in RECRUITS}
    rows = [
        {
            "model": alias,
            "stream": streams[alias],
            "size": size,
            "steps": STEPS,
            "first_loss": values[0],
            "last_loss": values[-1],
        }
        for alias, values in losses.items()
    ]
    lake = lake_at(lake_name)
    with write_lock(lake), new_commit(lake) as commit:
        provenance = {"made_by": "just toy", "size": size, "tool_version": VERSION}
        write_table(
            commit.file(LOSSES_FILE), pa.Table.from_pylist(rows, TABLES["toy_losses"].schema), provenance
        )
        commit.publish()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
