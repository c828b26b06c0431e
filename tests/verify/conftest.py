"""A lake of models that declare their bases truly, wrongly, oddly or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.sql.lakes import Vectors, bf16, random_model, replace_row, write_lake
from warehouse.duplicates import store_duplicates
from warehouse.lake import Lake
from warehouse.rows import DeclaredBase
from warehouse.storage.commit import write_lock

WIDTH = 256


def child_of(base: Vectors, seed: int, size: float = 0.01) -> Vectors:
    random = np.random.default_rng(seed)
    return {key: bf16(values + random.normal(0, size, values.size)) for key, values in base.items()}


def mean_of(one: Vectors, other: Vectors) -> Vectors:
    return {key: bf16((one[key] + other[key]) / 2) for key in one}


def folded(model: Vectors) -> Vectors:
    return {key: np.ones_like(values) for key, values in model.items()}


BASE, STRANGER = random_model(1, width=WIDTH), random_model(2, width=WIDTH)
MODELS: dict[str, Vectors] = {
    "base": BASE,
    "stranger": STRANGER,
    "honest": child_of(BASE, 3),
    "sibling": child_of(BASE, 4),
    "wrong": child_of(BASE, 5),
    "silent": child_of(STRANGER, 6),
    "adapter": child_of(BASE, 7),
    "merged_adapter": child_of(BASE, 16),
    "merged": mean_of(BASE, STRANGER),
    "folded": folded(BASE),
    "wide": random_model(8, width=96),
    "alone": random_model(9, width=WIDTH),
    "itself": random_model(10, width=WIDTH),
    "renamed": random_model(15, width=WIDTH),
    "absent": random_model(11, width=WIDTH),
    "of_copy": child_of(BASE, 12),
    "base_2": child_of(random_model(13, width=WIDTH), 14),
}
DECLARED: Mapping[str, list[tuple[str, str | None]]] = {
    "honest": [("test/base", "finetune")],
    "sibling": [("https://huggingface.co/test/base", None)],
    "wrong": [("test/stranger", "finetune")],
    "adapter": [("test/alone", "adapter")],
    "merged_adapter": [("test/base", "Adapter")],
    "merged": [("test/base", "merge"), ("TEST/Stranger", "merge")],
    "folded": [("test/base", None)],
    "wide": [("test/base", None)],
    "itself": [("test/itself", None)],
    # the name that this repo has today, by which the hub knows it, too
    "renamed": [("test/new", None)],
    "absent": [("not a repo", None)],
    "of_copy": [("test/copy", None)],
    # a name of this lake, but no repo: which base is meant, nobody can tell
    "base_2": [("base", None)],
}
# Not stored, because another has the same norms, as a crawl leaves them: which one, and what it declares.
COPIES: Mapping[str, tuple[str, list[str]]] = {
    "copy": ("base", ["test/base"]),
    "silent_copy": ("stranger", []),
    "folded_copy": ("folded", ["test/folded"]),
}


def declaring(lake: Lake, model: str, *bases: str) -> Lake:
    replace_row(lake, replace(lake.model(model), declared_bases=_declared(bases)))
    return lake


def _declared(bases: Sequence[str]) -> list[DeclaredBase] | None:
    return [{"base": base, "relation": None, "read_from": "README.md"} for base in bases] or None


@pytest.fixture(scope="package")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """In a data folder of its own."""
    data = tmp_path_factory.mktemp("verified") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(data))
        return declaring_lake(data / "made")


def declaring_lake(folder: Path) -> Lake:
    made = write_lake(folder, MODELS)
    rows = []
    for model, bases in DECLARED.items():
        declared: list[DeclaredBase] = [
            {"base": base, "relation": relation, "read_from": "README.md"} for base, relation in bases
        ]
        renamed_to = "test/new" if model == "renamed" else None
        rows.append(replace(made.model(model), declared_bases=declared, renamed_to=renamed_to))
    replace_row(made, *rows)
    copies = []
    for model, (stored, names) in COPIES.items():
        copy = replace(made.model(stored), model=model, repo=f"test/{model}")
        copies.append(replace(copy, declared_bases=_declared(names)))
    with write_lock(made):
        store_duplicates(made, copies)
    return made
