"""The complete tensor list (name, dtype, shape) of a model, in the state_dict order of its real code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ingest.replica.configs import Config

DTYPE_BYTES = {"BF16": 2, "F32": 4}


class Tensor(NamedTuple):
    """One entry of a safetensors header, not yet placed."""

    name: str
    dtype: str
    shape: tuple[int, ...]


def tensors_of(config: Config) -> list[Tensor]:
    """Every stored tensor of the model that `config` describes."""
    return list(_internlm2(config) if config["model_type"] == "internlm2" else _llama_like(config))


def _llama_like(config: Config) -> Iterator[Tensor]:
    """Llama's naming, which all but InternLM2 share; layers, MTP layers, final norm, head."""
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
    # Qwen1.5 has these biases without saying so in its config.
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
    """GLM's multi-token-prediction layer: a decoder layer with its own embedding, inlet and head."""
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
