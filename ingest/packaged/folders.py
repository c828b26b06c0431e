"""From an installed package to a folder that the ordinary ingest reads: norms and a config, nothing else."""

from __future__ import annotations

import json
from collections import Counter
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import NormName, name_norms
from ingest.packaged.readers import Norms, read_norms
from ingest.packaged.table import Packaged, Part
from warehouse.errors import SourceError, UsageError

# A stack alone is a model of one stack, whose names have no prefix. It has no cross-attention.
ALONE = {
    "input_layernorm": "model.layers.{layer}.input_layernorm",
    "post_attention_layernorm": "model.layers.{layer}.post_attention_layernorm",
    "post_feedforward_layernorm": "model.layers.{layer}.post_feedforward_layernorm",
    "final_norm": "model.norm",
    "embedding_norm": "word_embeddings_layernorm",
}


def link_files(folder: Path, model: Packaged) -> None:
    """For files that the ordinary ingest reads as they are: GGUF."""
    folder.mkdir(parents=True)
    for file in model.files:
        path = installed(model, file)
        (folder / path.name).symlink_to(path)


def norms_of(model: Packaged) -> Norms:
    """The norms of an installed model, under names that ingest knows."""
    norms: Norms = {}
    for file in model.files:
        for name, values in read_norms(installed(model, file), model.format).items():
            norms[_renamed(name, model)] = np.ascontiguousarray(values)
    if not norms:
        raise SourceError(f"{model.pin} has no norms in {', '.join(model.files)}: report it")
    return norms


def stack_of(norms: Norms, stack: str) -> Norms:
    """The norms of one stack as those of a model that has no other."""
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


def write_folder(folder: Path, part: Part, norms: Norms) -> None:
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


def installed(model: Packaged, file: str) -> Path:
    try:
        found = distribution(model.package)
    except PackageNotFoundError:
        raise UsageError(f"{model.package} is not installed: `uv sync --group real` brings it") from None
    path = Path(str(found.locate_file(file)))
    if found.version != model.version or not path.is_file():
        raise UsageError(
            f"{model.package} {found.version} is installed, without {file} of {model.version}: "
            f"`uv sync --group real --reinstall-package {model.package}` brings it"
        )
    return path


def _renamed(name: str, model: Packaged) -> str:
    for prefix, replacement in model.rename.items():
        if name.startswith(prefix):
            return replacement + name.removeprefix(prefix)
    return name


def _names(norms: Norms) -> dict[str, NormName]:
    """What ingest will call them."""
    return name_norms(Tensor(name, "F32", values.shape, 0, 0) for name, values in norms.items())
