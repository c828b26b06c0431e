"""Saves trained models, each in a folder like a model repository, which the ordinary ingest reads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import ml_dtypes  # noqa: F401  (registers bfloat16 with numpy)
import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from ingest.origin_marks import MARKER, TOY_TAG
from warehouse.paths import data_root
from warehouse.storage.drafts import draft_folder

WEIGHTS = "model.safetensors"


def trained_folder(name: str) -> Path:
    """Where models are kept between runs; hidden from the list of lakes."""
    return data_root() / ".trained" / name


def save_model(
    folder: Path,
    tensors: Mapping[str, np.ndarray],
    config: Mapping[str, object],
    facts: Mapping[str, str],
    tokenizer: Mapping[str, object] | None = None,
) -> None:
    """Writes the folder atomically: a draft, then a rename."""
    ordered = {name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)}
    folder.parent.mkdir(parents=True, exist_ok=True)
    with draft_folder(folder.parent) as own:
        draft = own / folder.name
        draft.mkdir()
        save_file(ordered, draft / WEIGHTS, {"format": "pt", **facts, MARKER: TOY_TAG})
        (draft / "config.json").write_text(json.dumps({**config, MARKER: TOY_TAG}, indent=2) + "\n")
        if tokenizer:
            (draft / "tokenizer.json").write_text(json.dumps({**tokenizer, MARKER: TOY_TAG}) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)


def load_model(folder: Path) -> dict[str, np.ndarray]:
    """The tensors of a folder that `save_model` wrote."""
    return load_file(folder / WEIGHTS)


def facts_of(folder: Path) -> dict[str, str]:
    """The facts that `save_model` wrote; none if there is no such model."""
    if not (folder / WEIGHTS).exists():
        return {}
    with safe_open(folder / WEIGHTS, "np") as file:
        return dict(file.metadata())
