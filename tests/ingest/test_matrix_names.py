"""Names of embeddings, gates and ups of real models, at least one for every pattern of the table."""

from __future__ import annotations

import pytest

from ingest.formats.tensor_names import compiled, matrix_name, patterns

REAL = [
    # model, tensor, role, layer, expert
    ("Llama-3.1-8B", "model.embed_tokens.weight", "embedding", -1, None),
    ("InternLM2-7B", "model.tok_embeddings.weight", "embedding", -1, None),
    ("gpt2", "wte.weight", "embedding", -1, None),
    ("Falcon-7B", "transformer.word_embeddings.weight", "embedding", -1, None),
    ("ChatGLM3-6B", "transformer.embedding.word_embeddings.weight", "embedding", -1, None),
    ("Pythia-1B", "gpt_neox.embed_in.weight", "embedding", -1, None),
    ("OPT-1.3B", "model.decoder.embed_tokens.weight", "embedding", -1, None),
    ("T5-base", "shared.weight", "embedding", -1, None),
    ("BERT-base", "bert.embeddings.word_embeddings.weight", "embedding", -1, None),
    ("DistilBERT", "distilbert.embeddings.word_embeddings.weight", "embedding", -1, None),
    ("ModernBERT", "model.embeddings.tok_embeddings.weight", "embedding", -1, None),
    ("Gemma-3-12B", "language_model.model.embed_tokens.weight", "embedding", -1, None),
    ("Llama-3.1-8B", "model.layers.31.mlp.gate_proj.weight", "gate", 31, None),
    ("Llama-3.1-8B", "model.layers.31.mlp.up_proj.weight", "up", 31, None),
    ("GLM-4.5-Air", "model.layers.11.mlp.shared_experts.gate_proj.weight", "gate", 11, "shared"),
    ("GLM-4.5-Air", "model.layers.11.mlp.shared_experts.up_proj.weight", "up", 11, "shared"),
    ("Qwen1.5-MoE", "model.layers.5.mlp.shared_expert.gate_proj.weight", "gate", 5, "shared"),
    ("Qwen1.5-MoE", "model.layers.5.mlp.experts.59.gate_proj.weight", "gate", 5, "59"),
    ("Qwen1.5-MoE", "model.layers.5.mlp.experts.59.up_proj.weight", "up", 5, "59"),
    ("Phi-3-mini", "model.layers.5.mlp.gate_up_proj.weight", "gate_up", 5, None),
    ("Llama-4", "model.layers.5.feed_forward.shared_expert.gate_proj.weight", "gate", 5, "shared"),
    ("Llama-4", "model.layers.5.feed_forward.shared_expert.up_proj.weight", "up", 5, "shared"),
    ("Mixtral-8x7B", "model.layers.5.block_sparse_moe.experts.7.w1.weight", "gate", 5, "7"),
    ("Mixtral-8x7B", "model.layers.5.block_sparse_moe.experts.7.w3.weight", "up", 5, "7"),
    ("InternLM2-7B", "model.layers.5.feed_forward.w1.weight", "gate", 5, None),
    ("InternLM2-7B", "model.layers.5.feed_forward.w3.weight", "up", 5, None),
    ("Qwen-7B", "transformer.h.5.mlp.w2.weight", "gate", 5, None),
    ("Qwen-7B", "transformer.h.5.mlp.w1.weight", "up", 5, None),
    ("ChatGLM3-6B", "transformer.encoder.layers.5.mlp.dense_h_to_4h.weight", "gate_up", 5, None),
    ("ModernBERT", "model.layers.5.mlp.Wi.weight", "gate_up", 5, None),
    ("T5-1.1", "decoder.block.5.layer.2.DenseReluDense.wi_0.weight", "gate", 5, None),
    ("T5-1.1", "decoder.block.5.layer.2.DenseReluDense.wi_1.weight", "up", 5, None),
    ("T5-base", "decoder.block.5.layer.2.DenseReluDense.wi.weight", "up", 5, None),
    ("BART-base", "model.decoder.layers.5.fc1.weight", "up", 5, None),
    ("Phi-2", "model.layers.5.mlp.fc1.weight", "up", 5, None),
    ("StarCoder2-3B", "model.layers.5.mlp.c_fc.weight", "up", 5, None),
    ("gpt2", "h.5.mlp.c_fc.weight", "up", 5, None),
    ("GPT-J-6B", "transformer.h.5.mlp.fc_in.weight", "up", 5, None),
    ("BLOOM", "h.5.mlp.dense_h_to_4h.weight", "up", 5, None),
    ("Pythia-1B", "gpt_neox.layers.5.mlp.dense_h_to_4h.weight", "up", 5, None),
    ("MPT-7B", "transformer.blocks.5.ffn.up_proj.weight", "up", 5, None),
    ("RoBERTa", "roberta.encoder.layer.5.intermediate.dense.weight", "up", 5, None),
    ("DistilBERT", "distilbert.transformer.layer.5.ffn.lin1.weight", "up", 5, None),
]


@pytest.mark.parametrize(("model", "tensor", "role", "layer", "expert"), REAL)
def test_a_matrix_of_a_real_model_is_known(
    model: str, tensor: str, role: str, layer: int, expert: str | None
) -> None:
    assert matrix_name(tensor) == (role, layer, expert), model


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in patterns()["matrices"]])
def test_every_pattern_has_a_real_example(pattern: str) -> None:
    regex = compiled(pattern)
    names = [tensor.removesuffix(".weight") for _, tensor, *_ in REAL]
    assert any(regex.fullmatch(name) for name in names)


@pytest.mark.parametrize(
    "tensor",
    [
        "model.layers.46.embed_tokens.weight",  # of GLM's layer that predicts a further token
        "model.layers.5.mlp.gate.weight",  # a router
        "model.layers.5.mlp.down_proj.weight",
        "model.layers.5.mlp.shared_expert_gate.weight",
        "model.layers.5.mlp.gate_proj.bias",
        "lm_head.weight",
        "visual.blocks.5.mlp.gate_proj.weight",
    ],
)
def test_other_matrices_are_not_taken(tensor: str) -> None:
    assert matrix_name(tensor) is None
