"""Which tensors a model has, in the order of its real code, and their layout in safetensors shards.

Between shards, tensors keep their state_dict order. Inside a shard they are sorted as the safetensors writer
sorts them: by descending alignment of the dtype, then by name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import NamedTuple

from ingest.origin_marks import MARKER, REPLICA_TAG
from ingest.replica.published import Config

DTYPE_BYTES = {"BF16": 2, "F32": 4}
# Shard limits in common use (bytes): transformers' default "5GB", then "4GB" and "2GB".
USUAL_LIMITS = (5_000_000_000, 4_000_000_000, 2_000_000_000)


class Tensor(NamedTuple):
    """One entry of a safetensors header, not yet placed."""

    name: str
    dtype: str
    shape: tuple[int, ...]


def tensors_of(config: Config) -> list[Tensor]:
    """Every stored tensor of the model that `config` describes."""
    return list(_internlm2(config) if config["model_type"] == "internlm2" else _llama_like(config))


def _llama_like(config: Config) -> Iterator[Tensor]:
    """Llama's names, which all models but InternLM2 share."""
    hidden, vocab = config["hidden_size"], config["vocab_size"]
    layers = config["num_hidden_layers"]
    phi = config["model_type"] == "phimoe"
    yield _bf16("model.embed_tokens.weight", vocab, hidden)
    for layer in range(layers):
        yield from _decoder_layer(config, f"model.layers.{layer}.", dense=layer < _dense_layers(config))
    for layer in range(layers, layers + config.get("num_nextn_predict_layers", 0)):
        yield from _mtp_layer(config, f"model.layers.{layer}.")
    yield from _norm("model.norm", hidden, bias=phi)
    if not config["tie_word_embeddings"]:
        yield _bf16("lm_head.weight", vocab, hidden)
    if config.get("lm_head_bias"):
        yield _bf16("lm_head.bias", vocab)


def _dense_layers(config: Config) -> int:
    """How many leading layers have an ordinary MLP: all of them in a dense model."""
    if "n_routed_experts" in config:
        return int(config["first_k_dense_replace"])
    return 0 if "num_local_experts" in config else int(config["num_hidden_layers"])


def _decoder_layer(config: Config, at: str, *, dense: bool) -> Iterator[Tensor]:
    hidden = config["hidden_size"]
    yield from _attention(config, at + "self_attn.")
    if dense:
        yield from _mlp(at + "mlp.", hidden, config["intermediate_size"])
    elif "n_routed_experts" in config:
        yield from _deepseek_moe(config, at + "mlp.")
    else:
        yield from _mixtral_moe(config, at + "block_sparse_moe.")
    bias = config["model_type"] == "phimoe"
    yield from _norm(at + "input_layernorm", hidden, bias=bias)
    yield from _norm(at + "post_attention_layernorm", hidden, bias=bias)


def _attention(config: Config, at: str) -> Iterator[Tensor]:
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    head_dim = config.get("head_dim", hidden // heads)
    query, key = heads * head_dim, config["num_key_value_heads"] * head_dim
    # Qwen1.5 has these biases although its config does not mention them.
    qkv_bias = config.get("attention_bias", False) or config["model_type"] == "qwen2"
    for name, rows in (("q_proj", query), ("k_proj", key), ("v_proj", key)):
        yield _bf16(f"{at}{name}.weight", rows, hidden)
        if qkv_bias:
            yield _bf16(f"{at}{name}.bias", rows)
    yield _bf16(at + "o_proj.weight", hidden, query)
    if config["model_type"] == "phimoe":
        yield _bf16(at + "o_proj.bias", hidden)
    if config["model_type"] == "qwen3":
        yield _bf16(at + "q_norm.weight", head_dim)
        yield _bf16(at + "k_norm.weight", head_dim)


def _mlp(at: str, hidden: int, width: int) -> Iterator[Tensor]:
    yield _bf16(at + "gate_proj.weight", width, hidden)
    yield _bf16(at + "up_proj.weight", width, hidden)
    yield _bf16(at + "down_proj.weight", hidden, width)


def _deepseek_moe(config: Config, at: str) -> Iterator[Tensor]:
    """GLM-4.5 and Solar-Open: many small experts, a router with a correction bias, one shared expert."""
    hidden, width = config["hidden_size"], config["moe_intermediate_size"]
    experts = config["n_routed_experts"]
    for expert in range(experts):
        yield from _mlp(f"{at}experts.{expert}.", hidden, width)
    yield _bf16(at + "gate.weight", experts, hidden)
    # Kept in single precision by the model code; the only tensors here that are not BF16.
    yield Tensor(at + "gate.e_score_correction_bias", "F32", (experts,))
    yield from _mlp(at + "shared_experts.", hidden, width * config["n_shared_experts"])


def _mixtral_moe(config: Config, at: str) -> Iterator[Tensor]:
    """Mixtral and Phi-3.5-MoE: a few large experts."""
    hidden, width, experts = config["hidden_size"], config["intermediate_size"], config["num_local_experts"]
    yield _bf16(at + "gate.weight", experts, hidden)
    for expert in range(experts):
        yield _bf16(f"{at}experts.{expert}.w1.weight", width, hidden)
        yield _bf16(f"{at}experts.{expert}.w2.weight", hidden, width)
        yield _bf16(f"{at}experts.{expert}.w3.weight", width, hidden)


def _mtp_layer(config: Config, at: str) -> Iterator[Tensor]:
    """GLM's multi-token-prediction layer: a decoder layer with an embedding, input projection and head."""
    hidden, vocab = config["hidden_size"], config["vocab_size"]
    yield _bf16(at + "embed_tokens.weight", vocab, hidden)
    yield _bf16(at + "eh_proj.weight", hidden, 2 * hidden)
    yield _bf16(at + "enorm.weight", hidden)
    yield _bf16(at + "hnorm.weight", hidden)
    yield from _decoder_layer(config, at, dense=False)
    yield _bf16(at + "shared_head.norm.weight", hidden)
    yield _bf16(at + "shared_head.head.weight", vocab, hidden)


def _internlm2(config: Config) -> Iterator[Tensor]:
    hidden, vocab, width = config["hidden_size"], config["vocab_size"], config["intermediate_size"]
    head_dim = hidden // config["num_attention_heads"]
    fused = (config["num_attention_heads"] + 2 * config["num_key_value_heads"]) * head_dim
    yield _bf16("model.tok_embeddings.weight", vocab, hidden)
    for layer in range(config["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        yield _bf16(at + "attention.wqkv.weight", fused, hidden)
        yield _bf16(at + "attention.wo.weight", hidden, hidden)
        yield _bf16(at + "feed_forward.w1.weight", width, hidden)
        yield _bf16(at + "feed_forward.w3.weight", width, hidden)
        yield _bf16(at + "feed_forward.w2.weight", hidden, width)
        yield _bf16(at + "attention_norm.weight", hidden)
        yield _bf16(at + "ffn_norm.weight", hidden)
    yield _bf16("model.norm.weight", hidden)
    yield _bf16("output.weight", vocab, hidden)


def _norm(name: str, width: int, *, bias: bool = False) -> Iterator[Tensor]:
    yield _bf16(name + ".weight", width)
    if bias:
        yield _bf16(name + ".bias", width)


def _bf16(name: str, *shape: int) -> Tensor:
    return Tensor(name, "BF16", shape)


Content = Callable[[Tensor, int, int], bytes]  # bytes [start, stop) of one tensor


@dataclass(frozen=True)
class Shard:
    """One file: its header, and where each tensor begins."""

    header: bytes  # length prefix included
    tensors: tuple[Tensor, ...]  # in file order
    starts: tuple[int, ...]  # file offset of each tensor
    size: int

    def read(self, start: int, stop: int, content: Content) -> bytes:
        """Bytes [start, stop) of the file, up to its end."""
        stop = min(stop, self.size)
        if stop <= start:
            return b""
        pieces = [self.header[start:stop]]
        at = max(start, len(self.header))
        index = bisect_right(self.starts, at) - 1
        while at < stop:
            begin = self.starts[index]
            end = self.starts[index + 1] if index + 1 < len(self.starts) else self.size
            pieces.append(content(self.tensors[index], at - begin, min(stop, end) - begin))
            at = end
            index += 1
        return b"".join(pieces)


def tensor_bytes(tensor: Tensor) -> int:
    """Bytes a tensor takes in the file."""
    return prod(tensor.shape) * DTYPE_BYTES[tensor.dtype]


def split_into_shards(tensors: Sequence[Tensor], count: int, limit: int | None = None) -> list[list[Tensor]]:
    """Fills shards in order up to a limit that gives `count` of them.

    The limit is the given or a usual one, or else found by bisection: the count never grows with the limit.
    """
    ends = list(accumulate(tensor_bytes(t) for t in tensors))
    limits = USUAL_LIMITS if limit is None else (limit,)
    cuts = next((c for limit in limits if len(c := _cuts(ends, limit)) == count), None)
    low, high = 1, ends[-1]
    while cuts is None:
        limit = (low + high) // 2
        found = _cuts(ends, limit)
        if len(found) == count:
            cuts = found
        elif low >= high:
            raise ValueError(f"{len(tensors)} tensors cannot be cut into exactly {count} shards")
        elif len(found) > count:
            low = limit + 1
        else:
            high = limit
    return [list(tensors[a:b]) for a, b in zip([0, *cuts[:-1]], cuts, strict=True)]


def _cuts(ends: Sequence[int], limit: int) -> list[int]:
    """Index after the last tensor of each shard; a tensor above the limit gets a shard of its own."""
    cuts: list[int] = []
    first, written = 0, 0
    while first < len(ends):
        first = max(bisect_right(ends, written + limit), first + 1)
        written = ends[first - 1]
        cuts.append(first)
    return cuts


def lay_out(tensors: Sequence[Tensor]) -> Shard:
    """One safetensors file with these tensors."""
    ordered = tuple(sorted(tensors, key=lambda t: (-DTYPE_BYTES[t.dtype], t.name)))
    entries = [f'"__metadata__":{{"format":"pt","{MARKER}":"{REPLICA_TAG}"}}']
    offsets: list[int] = []
    end = 0
    for tensor in ordered:
        offsets.append(end)
        end += tensor_bytes(tensor)
        shape = ",".join(map(str, tensor.shape))
        entries.append(
            f'"{tensor.name}":{{"dtype":"{tensor.dtype}","shape":[{shape}],"data_offsets":[{offsets[-1]},{end}]}}'
        )
    text = ("{" + ",".join(entries) + "}").encode()
    text += b" " * (-len(text) % 8)
    header = len(text).to_bytes(8, "little") + text
    return Shard(header, ordered, tuple(len(header) + o for o in offsets), len(header) + end)
