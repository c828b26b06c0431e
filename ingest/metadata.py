"""What a model says of itself: sizes in its config.json, and the base models that it declares.

All of it is a stranger's text. Numbers that no model has are refused, other values of a wrong type count as
absent, and texts are kept only if they are short and printable. `refuse_width` checks the width against the
tensors' shapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from ingest.formats.gguf_header import GgufHeader
from ingest.formats.safetensors_header import shown
from ingest.model_files import CONFIG, ModelFiles, json_object
from ingest.origin_marks import marked_json
from warehouse.errors import FormatError
from warehouse.rows import DeclaredBase, Source

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


# A merge names a handful; more than this many is a mistake or an attack.
MOST_BASES = 100
MOST_FRONT_MATTER_BYTES = 100_000

HUB, CARD, GGUF = "hub metadata", "README.md", "GGUF header"

RELATION_TAG = re.compile(r"base_model:(adapter|finetune|merge|quantized):(.+)")
FRONT_MATTER = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)


def bases_of_hub(card: object, tags: Sequence[str]) -> list[DeclaredBase]:
    """From `cardData` and tags of the hub's answer about a model. The hub derives relations from the card."""
    tagged = {match[2]: match[1] for tag in tags if (match := RELATION_TAG.fullmatch(tag))}
    stated = _bases_of_card(card, HUB) if isinstance(card, Mapping) else []
    if not stated:
        plain = [tag.removeprefix("base_model:") for tag in tags if tag.startswith("base_model:")]
        names = dict.fromkeys(
            [*tagged, *(name for name in plain if not RELATION_TAG.fullmatch(f"base_model:{name}"))]
        )
        stated = _declared(names, None, HUB)
    return [{**one, "relation": one["relation"] or tagged.get(one["base"])} for one in stated]


def bases_of_readme(readme: bytes) -> tuple[list[DeclaredBase], str]:
    """From the YAML block at the top of a model card, and why it could not be read, or the empty string."""
    front = FRONT_MATTER.match(readme[:MOST_FRONT_MATTER_BYTES])
    if front is None:
        return [], ""
    try:
        # not the loader in C, which deep nesting crashes; this one raises RecursionError
        card = yaml.safe_load(front[1])
    except (yaml.YAMLError, RecursionError, ValueError, UnicodeError) as error:
        mark = getattr(error, "problem_mark", None)
        return [], f"its front matter is not valid YAML{f' (line {mark.line + 2})' if mark else ''}"
    return (_bases_of_card(card, CARD), "") if isinstance(card, Mapping) else ([], "")


def bases_of_gguf(header: GgufHeader) -> list[DeclaredBase]:
    """From `general.base_model.*`: the repo's address if it is there, else organisation and name."""
    count = min(header.count("general.base_model.count") or 0, MOST_BASES)
    return _declared((_gguf_base(header, number) for number in range(count)), None, GGUF)


def _gguf_base(header: GgufHeader, number: int) -> str | None:
    def text(key: str) -> str | None:
        return header.text(f"general.base_model.{number}.{key}")

    organisation, name = text("organization"), text("name")
    return text("repo_url") or (f"{organisation}/{name}" if organisation and name else name)


def _bases_of_card(card: Mapping[object, object], read_from: str) -> list[DeclaredBase]:
    stated = card.get("base_model")
    relation = card.get("base_model_relation")
    names = stated if isinstance(stated, list) else [stated]
    return _declared(names, printable(relation), read_from)


def _declared(names: object, relation: str | None, read_from: str) -> list[DeclaredBase]:
    """Each name once, in the order of the document; what is no name is left out."""
    found = dict.fromkeys(_names(names))
    return [{"base": name, "relation": relation, "read_from": read_from} for name in [*found][:MOST_BASES]]


def _names(values: object) -> Iterator[str]:
    if isinstance(values, Iterator | list | dict):
        for value in values:
            if (name := printable(value.strip() if isinstance(value, str) else None)) is not None:
                yield name
