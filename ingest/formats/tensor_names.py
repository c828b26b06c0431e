"""Recognises norms by tensor name, and names each as (layer, ln_type); also the matrices of `--slices`.

`tensor_names.toml` maps the names of known families to one vocabulary:

    input_layernorm            before attention (ln_1, attention_norm, norm_1 … of other families)
    post_attention_layernorm   before the feed-forward part; in Gemma 2/3, OLMo 2 and BERT, which normalise
                               the output of a block, after attention
    pre_feedforward_layernorm, post_feedforward_layernorm    around the feed-forward part
    q_norm, k_norm, q_a_norm, kv_a_norm                      inside attention
    final_norm, embedding_norm                               layer -1
    encoder_…, decoder_…                                     of a model with two stacks (T5, BART, Whisper)
    decoder_cross_attention_layernorm                        beside the attention to the encoder
    …_bias                                                   the β of each

Encoder-only models (BERT) and decoder-only ones (Llama) have one stack, and no prefix. A norm that no pattern
matches keeps its own name without the layer's number, so that it is neither lost nor mistaken for another.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ingest.formats.dtypes import DECODABLE
from ingest.formats.safetensors_header import Tensor
from warehouse.rows import NO_LAYER

Role = Literal["embedding", "gate", "up", "gate_up"]
SHARED = "shared"


class NormName(NamedTuple):
    layer: int
    ln_type: str


class MatrixName(NamedTuple):
    """A matrix that `--slices` reads."""

    role: Role
    layer: int = NO_LAYER
    # None in a dense layer, `shared`, or the number of a routed expert
    expert: str | None = None


# A multimodal model wraps its language model: LLaVA, Gemma 3, Qwen-VL and Qwen-Omni, Idefics.
WRAPPER = re.compile(r"(?:^|(?<=\.))(?:language_model|text_model|thinker)\.")

# BART and Whisper use the same names, but Whisper's norms are before a block and BART's after it. Only
# stacks of the first kind end in a norm of their own: fairseq makes one if `normalize_before` is set.
TWO_WAYS = re.compile(r"(?:model\.)?(encoder|decoder)\.layers\.[0-9]+\.(?:self_attn|final)_layer_norm\.")
STACK_END = re.compile(r"(?:model\.)?(encoder|decoder)\.layer_norm\.")
AFTER = {
    "input_layernorm": "post_attention_layernorm",
    "post_attention_layernorm": "post_feedforward_layernorm",
}

LAST_PARTS = {"weight": "", "gamma": "", "scale": "", "bias": "_bias", "beta": "_bias"}

HAS_LN = re.compile(r"(?:^|[._])ln(?=[._0-9]|$)")

# the language model, which may be one of two stacks; the path of another tower is kept in the name
PROJECTION = re.compile(
    r"(?:(?:model\.)?(?:(?P<stack>encoder|decoder)\.)?|(?P<tower>.*)\.)"
    r"layers\.(?P<layer>[0-9]{1,4})\.self_attn\.(?P<kind>[kv]_proj)\.weight"
)


def may_be_norm(tensor: str) -> bool:
    """A cheap test by name, because indexes have no shapes: true for every norm and few others."""
    if tensor.rpartition(".")[2] not in LAST_PARTS:
        return False
    name = tensor.lower()
    # plain searches first: the twelve models have 60,000 names, most of them of experts' matrices
    return "norm" in name or ("ln" in name and HAS_LN.search(name) is not None)


def name_norms(tensors: Iterable[Tensor]) -> dict[str, NormName]:
    """The norms of a model by tensor name; no two have the same NormName."""
    named = {tensor.name: norm for tensor in tensors if (norm := norm_name(tensor))}
    return distinct(named | _after_blocks(named))


def distinct(named: Mapping[str, NormName]) -> dict[str, NormName]:
    """Tensors that would share a NormName keep their own."""
    counts = Counter(named.values())
    return {
        tensor: norm if counts[norm] == 1 else NormName(NO_LAYER, tensor) for tensor, norm in named.items()
    }


def _after_blocks(named: Mapping[str, NormName]) -> dict[str, NormName]:
    """New names for norms after their block, which only the names of all tensors reveal."""
    before = {match[1] for tensor in named if (match := STACK_END.match(tensor))}
    renamed = {}
    for tensor, (layer, ln_type) in named.items():
        match = TWO_WAYS.match(tensor)
        if match and match[1] not in before:
            stack, _, kind = ln_type.partition("_")
            bias = "_bias" if kind.endswith("_bias") else ""
            renamed[tensor] = NormName(layer, f"{stack}_{AFTER[kind.removesuffix('_bias')]}{bias}")
    return renamed


def norm_name(tensor: Tensor) -> NormName | None:
    """The NormName of one tensor; None if it is not a norm."""
    if not may_be_norm(tensor.name) or not tensor.shape:
        return None
    return known_norm(tensor.name) or unknown_norm(tensor)


def known_norm(tensor: str) -> NormName | None:
    """The NormName by the table."""
    module, _, last = tensor.rpartition(".")
    for found, ln_type in _matches(module, "norms"):
        return NormName(int(found.get("layer", NO_LAYER)), ln_type + LAST_PARTS[last])
    return None


def matrix_name(tensor: str) -> MatrixName | None:
    """What a matrix is, by the table; None if it is none of those that `--slices` reads."""
    if not tensor.endswith(".weight"):
        return None
    for found, role in _matches(tensor.removesuffix(".weight"), "matrices"):
        shared = SHARED if ".shared_" in tensor else None
        return MatrixName(role, int(found.get("layer", NO_LAYER)), found.get("expert") or shared)
    return None


def _matches(module: str, table: str) -> Iterator[tuple[dict[str, str], Any]]:
    """The numbers in a name and what it is called here, also inside a multimodal wrapper."""
    for name in dict.fromkeys((module, WRAPPER.sub("", module, count=1))):
        for pattern, meaning in compiled_patterns()[table]:
            if match := pattern.fullmatch(name):
                yield match.groupdict(), meaning


def unknown_norm(tensor: Tensor) -> NormName | None:
    """The own name of a one-dimensional float tensor, without its layer, the first number in it."""
    if len(tensor.shape) != 1 or tensor.dtype not in DECODABLE:
        return None
    module, _, last = tensor.name.rpartition(".")
    parts = module.split(".")
    number = next((part for part in parts if re.fullmatch("[0-9]{1,4}", part)), None)
    if number is not None:
        parts.remove(number)
    return NormName(NO_LAYER if number is None else int(number), ".".join(parts) + LAST_PARTS[last])


def projection(tensor: str) -> NormName | None:
    """The name of a k_proj or v_proj matrix, which the documents compare beside the norms.

    In an image or audio tower it keeps its own name, as norms do.
    """
    match = PROJECTION.fullmatch(WRAPPER.sub("", tensor, count=1))
    if match is None:
        return None
    stack, tower, kind = match["stack"], match["tower"], match["kind"]
    if tower:
        kind = f"{tower}.layers.self_attn.{kind}"
    return NormName(int(match["layer"]), f"{stack}_{kind}" if stack else kind)


@cache
def patterns() -> dict[str, list[tuple[str, str]]]:
    """The tables `norms` and `matrices`: each pattern and what it means."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    norms = [row for family in tables["norms"].values() for row in family.items()]
    return {"norms": norms, "matrices": list(tables["matrices"].items())}


@cache
def compiled_patterns() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    return {
        table: [(compiled(pattern), meaning) for pattern, meaning in rows]
        for table, rows in patterns().items()
    }


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern as `tensor_names.toml` writes it."""
    regex = re.escape(pattern)
    for number in ("layer", "expert"):
        regex = regex.replace(rf"\{{{number}\}}", f"(?P<{number}>[0-9]{{1,4}})")
    return re.compile(regex.replace(r"\[", "(?:").replace(r"\]", ")?").replace(r"\|", "|"))
