"""One run of `just zoo`: train missing models, two at a time, ingest them, and store their ancestry."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ingest.pipeline import ingest_folder
from ingest.slices.wanted import SlicesWanted, default_layers
from ingest.store_model import store_rows
from ingest.zoo.folders import WEIGHTS, load_model, save_model, trained_folder
from ingest.zoo.llama import Arrays, config, init_params, named_tensors, params_of
from ingest.zoo.more_transformations import ALL
from ingest.zoo.plans import PLANS, Plan
from ingest.zoo.training import Progress, Task, tokenizer, train
from ingest.zoo.transformations import Base, Recipe, child_alias
from warehouse import VERSION
from warehouse.storage.drafts import sweep

# Matrices this small keep only one core busy.
WORKERS = 2


@dataclass(frozen=True)
class Job:
    """One model to make."""

    alias: str
    make: Callable[[], Arrays]


def run_zoo(size: str, out: Path | None, lake_name: str, say: Progress, seed: int = 0) -> tuple[int, int]:
    """Returns how many models were made, and how many existed already."""
    plan = PLANS[size](seed)
    folder = trained_folder(f"zoo_{size}_{seed}" if seed else f"zoo_{size}") if out is None else out
    sweep(folder)
    made = total = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        for stage in _stages(plan, folder, say):
            missing = [job for job in stage if not (folder / job.alias / WEIGHTS).exists()]
            list(pool.map(lambda job: _make(job, plan, folder), missing))
            made, total = made + len(missing), total + len(stage)
    _ingest(folder, lake_name, plan)
    provenance = {"made_by": "just zoo", "size": plan.name, "seed": str(plan.seed)}
    store_rows(lake_name, "lineage_truth", lineage_rows(plan), provenance)
    return made, total - made


def _ingest(folder: Path, lake_name: str, plan: Plan) -> None:
    """Ingests slices of two layers, but of all layers for models of another depth, as the test needs them."""
    if not plan.with_slices:
        ingest_folder(folder, lake_name, toy=True)
        return
    ingest_folder(folder, lake_name, toy=True, slices=SlicesWanted(default_layers(plan.shape.layers)))
    for config_file in sorted(folder.glob("*/config.json")):
        depth = json.loads(config_file.read_text())["num_hidden_layers"]
        if depth != plan.shape.layers:
            ingest_folder(
                config_file.parent, lake_name, toy=True, slices=SlicesWanted(frozenset(range(depth)))
            )


def lineage_rows(plan: Plan) -> list[dict[str, object]]:
    """The table `lineage_truth`; a merge of two bases has a row for each."""
    rows = [
        _row(base.alias, None, "base", base.group, False, f"trained on {base.corpus}") for base in plan.bases
    ]
    for transformation in plan.transformations:
        known = ALL[transformation]
        for base in plan.parents_for(transformation):
            parents = [base.alias]
            if known.with_partner:
                parents.append(plan.partner(base).alias)
            child = child_alias(base.alias, transformation)
            rows += [_row(child, p, transformation, known.kind, known.related, known.why) for p in parents]
    return rows


def _stages(plan: Plan, folder: Path, say: Progress) -> Iterator[list[Job]]:
    """Bases, then one transformation after the other: a stage needs only earlier ones."""
    yield [Job(base.alias, partial(_train_base, base, plan, say)) for base in plan.bases]
    for transformation in plan.transformations:
        yield [
            _child_job(plan, base, transformation, folder, say) for base in plan.parents_for(transformation)
        ]


def _train_base(base: Base, plan: Plan, say: Progress) -> Arrays:
    start = init_params(plan.shape, base.seed, base.kind)
    task = Task(base.corpus, base.data_seed)
    steps = round(base.steps * plan.base_steps)
    return train(start, task, steps, plan.shape.heads, lambda line: say(f"{base.alias}: {line}"))


def _child_job(plan: Plan, base: Base, transformation: str, folder: Path, say: Progress) -> Job:
    alias = child_alias(base.alias, transformation)

    def make() -> Arrays:
        recipe = Recipe(
            base=base,
            shape=plan.shape,
            base_steps=plan.base_steps,
            parent=_load(folder, base.alias),
            partner=plan.partner(base),
            model=lambda name: _load(folder, name),
            say=lambda line: say(f"{alias}: {line}"),
            seed=zlib.crc32(alias.encode(), plan.seed),
        )
        return ALL[transformation].make(recipe)

    return Job(alias, make)


def _make(job: Job, plan: Plan, folder: Path) -> None:
    params = job.make()
    # BF16 and F16 are intended; F64 is a by-product of arithmetic.
    params = {name: v.astype(np.float32) if v.dtype == np.float64 else v for name, v in params.items()}
    dtype = str(params["final_norm"].dtype)
    facts = {"zoo": plan.name, "seed": str(plan.seed), "tool_version": VERSION}
    save_model(
        folder / job.alias,
        named_tensors(params),
        config(params, plan.shape.heads, dtype),
        facts,
        tokenizer(len(params["embedding"])),
    )


def _load(folder: Path, alias: str) -> Arrays:
    return params_of(load_model(folder / alias))


def _row(
    child: str, parent: str | None, transformation: str, kind: str, related: bool, why: str
) -> dict[str, object]:
    return {
        "child": child,
        "parent": parent,
        "transformation": transformation,
        "kind": kind,
        "related": related,
        "why": why,
    }
