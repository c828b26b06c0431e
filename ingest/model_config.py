"""Reads what is stored of a model's config.json, and refuses numbers that no model has.

A value of another type counts as absent. `refuse_width` checks the width against the tensors' shapes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ingest.formats.safetensors_header import shown
from ingest.model_files import CONFIG, ModelFiles, json_object
from ingest.origin_marks import marked_json
from warehouse.errors import FormatError
from warehouse.rows import Source

# limits of the columns of `models`
MOST_LAYERS = 2**15 - 1
MOST = 2**31 - 1
LONGEST_TEXT = 200


@dataclass(frozen=True)
class Config:
    """None where the file has no usable value."""

    architecture: str | None = None
    hidden_size: int | None = None
    layers: int | None = None
    mtp_layers: int | None = None
    vocab_size: int | None = None
    # the mark of synthetic or toy weights (origin_marks.py)
    marked: Source | None = None


async def read_config(files: ModelFiles) -> Config:
    """Empty if there is no config. For a multimodal model, text_config describes the language model."""
    if CONFIG not in files.names:
        return Config()
    where = f"{files.where}/{CONFIG}"
    raw = await files.whole(CONFIG)
    config = json_object(raw, where)
    text = config.get("text_config")
    if isinstance(text, dict):
        config = {**config, **text, "architectures": config.get("architectures")}
    architectures = config.get("architectures")
    return Config(
        architecture=printable(
            architectures[0] if isinstance(architectures, list) and architectures else None
        ),
        hidden_size=_count(config, where, MOST, "hidden_size", "n_embd", "d_model"),
        layers=_count(config, where, MOST_LAYERS, "num_hidden_layers", "n_layer", "n_layers", "num_layers"),
        mtp_layers=_count(config, where, MOST_LAYERS, "num_nextn_predict_layers", "mtp_num_hidden_layers"),
        vocab_size=_count(config, where, MOST, "vocab_size"),
        marked=marked_json(raw),
    )


def _count(config: Mapping[str, Any], where: str, most: int, *keys: str) -> int | None:
    """The first of these keys that holds a number, because families use different names."""
    key = next((key for key in keys if type(config.get(key)) is int), None)
    if key is None:
        return None
    number: int = config[key]
    if not 0 <= number <= most:
        raise FormatError(
            f"{where} claims {key} {shown(number)}, which no model has: fetch it again, or tell its owner"
        )
    return number


def printable(text: object) -> str | None:
    """The text if it is short and printable, else None: it is shown in terminals and pages."""
    is_name = isinstance(text, str) and text.isprintable() and 0 < len(text) <= LONGEST_TEXT
    return str(text) if is_name else None


def refuse_width(config: Config, widest: int, where: str) -> None:
    """Refuses a width that no tensor has, before anything of that width is allocated."""
    if config.hidden_size is not None and config.hidden_size > widest:
        raise FormatError(
            f"{where}/{CONFIG} claims a width of {config.hidden_size:,}, but no tensor in the files of its "
            f"norms has more than {widest:,}: fetch it again, or tell its owner"
        )
