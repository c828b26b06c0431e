"""Recognises embedding, gate and up matrices by the names that known families give them.

    embedding   one row per token
    gate        the input of the activation, one row per neuron
    up          its factor, or without a gate the only matrix into the neurons
    gate_up     both in one: the rows of gate, then those of up

In a pattern `{layer}` is the layer's number, `{expert}` that of a routed expert, `[a.|b.]` an optional
prefix. In a model with two stacks we use the decoder.
"""

from __future__ import annotations

from functools import cache
from re import Pattern
from typing import Literal, NamedTuple

from ingest.formats.tensor_names import BERT, WRAPPER, compiled
from warehouse.rows import NO_LAYER

Role = Literal["embedding", "gate", "up", "gate_up"]
SHARED = "shared"


class MatrixName(NamedTuple):
    role: Role
    layer: int = NO_LAYER
    # None in a dense layer, `shared`, or the number of a routed expert
    expert: str | None = None


# tensor name without .weight, what it is
PATTERNS: list[tuple[str, Role]] = [
    ("model.embed_tokens", "embedding"),  # Llama, Qwen, GLM, Gemma, Phi, DeepSeek …
    ("model.tok_embeddings", "embedding"),  # InternLM2
    ("[transformer.]wte", "embedding"),  # GPT-2, GPT-J, StarCoder, MPT, Qwen 1
    ("[transformer.]word_embeddings", "embedding"),  # Falcon, BLOOM
    ("transformer.embedding.word_embeddings", "embedding"),  # ChatGLM
    ("gpt_neox.embed_in", "embedding"),
    ("[model.]decoder.embed_tokens", "embedding"),  # OPT, BART
    ("shared", "embedding"),  # T5
    (f"{BERT}embeddings.word_embeddings", "embedding"),
    ("distilbert.embeddings.word_embeddings", "embedding"),
    ("[model.]embeddings.tok_embeddings", "embedding"),  # ModernBERT
    # dense, or the shared expert of GLM-4.5, Solar, DeepSeek, Qwen-MoE, Hunyuan
    ("model.layers.{layer}.mlp.[shared_expert.|shared_experts.|shared_mlp.]gate_proj", "gate"),
    ("model.layers.{layer}.mlp.[shared_expert.|shared_experts.|shared_mlp.]up_proj", "up"),
    ("model.layers.{layer}.mlp.gate_up_proj", "gate_up"),  # Phi-3, GLM-4
    ("model.layers.{layer}.feed_forward.shared_expert.gate_proj", "gate"),  # Llama 4
    ("model.layers.{layer}.feed_forward.shared_expert.up_proj", "up"),
    ("model.layers.{layer}.mlp.experts.{expert}.gate_proj", "gate"),
    ("model.layers.{layer}.mlp.experts.{expert}.up_proj", "up"),
    ("model.layers.{layer}.block_sparse_moe.experts.{expert}.w1", "gate"),  # Mixtral, Phi-3.5-MoE
    ("model.layers.{layer}.block_sparse_moe.experts.{expert}.w3", "up"),
    ("model.layers.{layer}.feed_forward.w1", "gate"),  # InternLM2
    ("model.layers.{layer}.feed_forward.w3", "up"),
    ("transformer.h.{layer}.mlp.w2", "gate"),  # Qwen 1
    ("transformer.h.{layer}.mlp.w1", "up"),
    ("transformer.encoder.layers.{layer}.mlp.dense_h_to_4h", "gate_up"),  # ChatGLM
    ("[model.]layers.{layer}.mlp.Wi", "gate_up"),  # ModernBERT
    ("decoder.block.{layer}.layer.2.DenseReluDense.wi_0", "gate"),  # T5 1.1
    ("decoder.block.{layer}.layer.2.DenseReluDense.wi_1", "up"),
    ("decoder.block.{layer}.layer.2.DenseReluDense.wi", "up"),
    ("[model.]decoder.layers.{layer}.fc1", "up"),  # OPT, BART
    ("model.layers.{layer}.mlp.fc1", "up"),  # Phi-2
    ("model.layers.{layer}.mlp.c_fc", "up"),  # StarCoder2
    ("[transformer.]h.{layer}.mlp.c_fc", "up"),  # GPT-2, StarCoder
    ("[transformer.]h.{layer}.mlp.fc_in", "up"),  # GPT-J
    ("[transformer.]h.{layer}.mlp.dense_h_to_4h", "up"),  # Falcon, BLOOM
    ("gpt_neox.layers.{layer}.mlp.dense_h_to_4h", "up"),
    ("transformer.blocks.{layer}.ffn.up_proj", "up"),  # MPT
    (f"{BERT}encoder.layer.{{layer}}.intermediate.dense", "up"),
    ("[distilbert.]transformer.layer.{layer}.ffn.lin1", "up"),
]


def matrix_name(tensor: str) -> MatrixName | None:
    """What a tensor is, also inside a multimodal wrapper; None if it is none of these."""
    if not tensor.endswith(".weight"):
        return None
    module = tensor.removesuffix(".weight")
    for name in dict.fromkeys((module, WRAPPER.sub("", module, count=1))):
        for pattern, role in _compiled():
            if match := pattern.fullmatch(name):
                found = match.groupdict()
                shared = SHARED if ".shared_" in name else None
                return MatrixName(role, int(found.get("layer", NO_LAYER)), found.get("expert") or shared)
    return None


@cache
def _compiled() -> list[tuple[Pattern[str], Role]]:
    return [(compiled(pattern), role) for pattern, role in PATTERNS]
