"""Which base models a model declares: in the hub's metadata, a model card, or a GGUF header.

What is declared is a stranger's text: stored as written if it is short and printable, and never trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import yaml

from ingest.formats.gguf_header import GgufHeader
from ingest.model_config import printable
from warehouse.rows import DeclaredBase

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
