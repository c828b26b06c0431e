"""Trained models on disk: a folder each, as any model repository looks, and from there into a lake.

The ordinary ingest reads these folders like anybody else's; only their source is `toy`.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path

import ml_dtypes  # noqa: F401  (teaches numpy the name bfloat16)
import numpy as np
from safetensors.numpy import load_file, save_file

from ingest.run import run
from warehouse.errors import LakeError
from warehouse.lake import data_root

LAKE = "zoo"  # one lake for all that is trained here
WEIGHTS = "model.safetensors"


def trained_folder(name: str) -> Path:
    """Where models stay between runs, hidden from the list of lakes."""
    return data_root() / ".trained" / name


def save_model(
    folder: Path, tensors: Mapping[str, np.ndarray], config: Mapping[str, object], facts: Mapping[str, str]
) -> None:
    """The whole folder or none of it: written beside its place, then renamed."""
    draft = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    ordered = {name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)}
    save_file(ordered, draft / WEIGHTS, {"format": "pt", **facts})
    (draft / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)


def load_model(folder: Path) -> dict[str, np.ndarray]:
    """The tensors of a folder that `save_model` wrote."""
    return load_file(folder / WEIGHTS)


def ingest_folder(folder: Path, lake: str = LAKE) -> None:
    """Into the lake, as source `toy`; what the ingest says goes to stderr, stdout stays ours."""
    with redirect_stdout(sys.stderr):
        failed = run(
            str(folder.resolve()),
            (),
            lake_name=lake,
            alias=None,
            projections=frozenset(),
            update=False,
            toy=True,
            quiet=True,
        )
    if failed:
        raise LakeError(f"ingest of {folder} into lake {lake!r} failed: its message is above")
