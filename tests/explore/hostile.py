"""A lake whose every text would run or load something in a page that took it for markup."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

from tests.sql import lakes
from tests.sql.lakes import INPUT, POST, Values, Vectors, tiny_models, write_lake
from warehouse.duplicates import store_duplicates
from warehouse.lake import Lake
from warehouse.rows import ModelRow, Source, TensorRow

CANARY = "http://canary.invalid"
"""Tests must abort requests to it; `top.taken` is what scripts would set."""

FRAME = "<iframe class=canary srcdoc=\"<script>top.taken='frame'</script>\"></iframe>"
IMAGE = f'<img class=canary src="{CANARY}/image.png" onerror="top.taken=\'image\'">'
PAYLOADS = [
    FRAME,
    IMAGE,
    "<svg class=canary onload=\"top.taken='svg'\"></svg>",
    f'<script class=canary src="{CANARY}/script.js"></script>',
    f'</style></textarea></title><link class=canary rel=stylesheet href="{CANARY}/style.css">',
    f"'\"><style class=canary>@import '{CANARY}/import.css';</style>",
    "<a class=canary href=\"javascript:top.taken='anchor'\">canary</a>",
    f"![canary]({CANARY}/markdown.png) [canary](javascript:top.taken='link')",
    f"{CANARY}/address.png",
    f"```\n\n{FRAME}\n\n```",
    f"\n\n# canary\n\n{IMAGE}\n\n/// details | canary\n{FRAME}\n///\n",
    "$\\href{javascript:top.taken='tex'}{x}$ {{constructor.constructor('top.taken=1')()}} ::lucide:skull::",
    "<marimo-mime-renderer class=canary data-mime='\"text/html\"' data-data='\"&lt;iframe "
    "srcdoc=&apos;&lt;script>top.taken=1&lt;/script>&apos;>\"'></marimo-mime-renderer>",
    "<marimo-ui-element class=canary object-id=x><marimo-table class=canary data-data='[]'></marimo-table>"
    "</marimo-ui-element>",
    "text/html:" + FRAME,
    "\x1b]0;canary\x07\u202e" + IMAGE,
]
NAMES = [
    "<img class=canary src=x onerror=top.taken='name'>",
    "'\"><svg class=canary onload=top.taken='other'>",
]
"""Of models, which are also names of folders."""

MODEL_TEXTS = (
    "repo",
    "commit",
    "endpoint",
    "licence",
    "architecture",
    "dtype",
    "tool_version",
    "changed_by_format",
    "renamed_to",
    "registry_repo",
)
TENSOR_TEXTS = ("tensor", "shard", "dtype", "sha256")


def hostile_lake(path: Path) -> Lake:
    """Four models; each text of each row is the next payload."""
    tiny, payloads, sources = tiny_models(), cycle(PAYLOADS), cycle(PAYLOADS)
    model_row, tensor_row = lakes.model_row, lakes.tensor_row

    def hostile_model(model: str, source: Source) -> ModelRow:
        texts = {"source": next(sources), **{name: next(payloads) for name in MODEL_TEXTS}}
        return replace(model_row(model, source), **texts)  # type: ignore[arg-type]

    def hostile_tensor(layer: int, kind: str, values: Values) -> TensorRow:
        texts = {name: next(payloads) for name in TENSOR_TEXTS}
        return replace(tensor_row(layer, kind, values), **texts)  # type: ignore[arg-type]

    def hostile_kinds(model: str) -> Vectors:
        kinds = {INPUT: PAYLOADS[0], POST: PAYLOADS[1]}
        return {(layer, kinds.get(kind, kind)): values for (layer, kind), values in tiny[model].items()}

    names = dict(zip([*NAMES, "base", "noisy"], ["base", "noisy", "base", "noisy"], strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lakes, "model_row", hostile_model)
        patch.setattr(lakes, "tensor_row", hostile_tensor)
        lake = write_lake(path, {name: hostile_kinds(like) for name, like in names.items()})
        found = [replace(hostile_model(f"{name}2", "hub"), norms_digest=next(payloads)) for name in names]
    store_duplicates(lake, found)
    return lake
