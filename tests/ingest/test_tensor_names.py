"""Norms of real models, at least one for every pattern of the table, and what they are called here."""

from __future__ import annotations

import pytest

from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import (
    WRAPPER,
    NormName,
    compiled_patterns,
    known_norm,
    may_be_norm,
    name_norms,
    patterns,
    projection,
)

REAL = [
    # model, tensor, layer, ln_type
    ("Llama-3.1-8B", "model.layers.31.input_layernorm.weight", 31, "input_layernorm"),
    ("Mistral-7B", "model.layers.0.post_attention_layernorm.weight", 0, "post_attention_layernorm"),
    ("Mixtral-8x7B", "model.norm.weight", -1, "final_norm"),
    ("Qwen3-4B", "model.layers.35.self_attn.q_norm.weight", 35, "q_norm"),
    ("Qwen3-4B", "model.layers.35.self_attn.k_norm.weight", 35, "k_norm"),
    ("Phi-3.5-MoE", "model.layers.3.input_layernorm.bias", 3, "input_layernorm_bias"),
    ("Phi-3.5-MoE", "model.norm.bias", -1, "final_norm_bias"),
    ("GLM-4.5-Air", "model.layers.46.enorm.weight", 46, "enorm"),
    ("GLM-4.5-Air", "model.layers.46.hnorm.weight", 46, "hnorm"),
    ("GLM-4.5-Air", "model.layers.46.shared_head.norm.weight", 46, "shared_head_norm"),
    ("DeepSeek-V3", "model.layers.60.self_attn.q_a_layernorm.weight", 60, "q_a_norm"),
    ("DeepSeek-V2", "model.layers.1.self_attn.kv_a_layernorm.weight", 1, "kv_a_norm"),
    ("Gemma-2-9B", "model.layers.7.pre_feedforward_layernorm.weight", 7, "pre_feedforward_layernorm"),
    ("Gemma-2-9B", "model.layers.7.post_feedforward_layernorm.weight", 7, "post_feedforward_layernorm"),
    ("Gemma-3-12B", "language_model.model.layers.5.self_attn.k_norm.weight", 5, "k_norm"),
    ("Gemma-3-12B", "language_model.model.norm.weight", -1, "final_norm"),
    ("Qwen2.5-VL", "model.language_model.layers.9.input_layernorm.weight", 9, "input_layernorm"),
    ("OLMo-2-7B", "model.layers.15.post_feedforward_layernorm.weight", 15, "post_feedforward_layernorm"),
    ("internlm2-7b", "model.layers.4.attention_norm.weight", 4, "input_layernorm"),
    ("internlm2-7b", "model.layers.4.ffn_norm.weight", 4, "post_attention_layernorm"),
    ("gpt2", "h.11.ln_1.weight", 11, "input_layernorm"),
    ("gpt2", "h.11.ln_2.bias", 11, "post_attention_layernorm_bias"),
    ("gpt2-xl", "transformer.h.47.ln_2.weight", 47, "post_attention_layernorm"),
    ("gpt2", "ln_f.weight", -1, "final_norm"),
    ("bloom-560m", "word_embeddings_layernorm.weight", -1, "embedding_norm"),
    ("pythia-70m", "gpt_neox.layers.5.post_attention_layernorm.bias", 5, "post_attention_layernorm_bias"),
    ("pythia-70m", "gpt_neox.layers.5.input_layernorm.weight", 5, "input_layernorm"),
    ("gpt-neox-20b", "gpt_neox.final_layer_norm.weight", -1, "final_norm"),
    ("falcon-7b", "transformer.h.2.input_layernorm.weight", 2, "input_layernorm"),
    ("falcon-rw-1b", "transformer.h.2.post_attention_layernorm.weight", 2, "post_attention_layernorm"),
    ("falcon-40b", "transformer.h.59.ln_attn.weight", 59, "input_layernorm"),
    ("falcon-40b", "transformer.h.59.ln_mlp.bias", 59, "pre_feedforward_layernorm_bias"),
    ("mpt-7b", "transformer.blocks.30.norm_1.weight", 30, "input_layernorm"),
    ("mpt-7b", "transformer.blocks.30.norm_2.weight", 30, "post_attention_layernorm"),
    ("mpt-7b", "transformer.norm_f.weight", -1, "final_norm"),
    ("mpt-1b", "transformer.blocks.3.attn.q_ln.weight", 3, "q_norm"),
    ("mpt-1b", "transformer.blocks.3.attn.k_ln.weight", 3, "k_norm"),
    ("phi-2", "model.final_layernorm.bias", -1, "final_norm_bias"),
    ("bert-base", "bert.embeddings.LayerNorm.gamma", -1, "embedding_norm"),
    ("bert-base", "bert.encoder.layer.11.output.LayerNorm.beta", 11, "post_feedforward_layernorm_bias"),
    (
        "roberta-base",
        "roberta.encoder.layer.0.attention.output.LayerNorm.weight",
        0,
        "post_attention_layernorm",
    ),
    ("all-MiniLM", "encoder.layer.5.output.LayerNorm.weight", 5, "post_feedforward_layernorm"),
    ("distilbert", "distilbert.transformer.layer.1.sa_layer_norm.weight", 1, "post_attention_layernorm"),
    (
        "distilbert",
        "distilbert.transformer.layer.1.output_layer_norm.weight",
        1,
        "post_feedforward_layernorm",
    ),
    ("distilbert", "distilbert.embeddings.LayerNorm.weight", -1, "embedding_norm"),
    ("t5-base", "encoder.block.3.layer.0.layer_norm.weight", 3, "encoder_input_layernorm"),
    ("t5-base", "encoder.block.3.layer.1.layer_norm.weight", 3, "encoder_post_attention_layernorm"),
    ("t5-base", "encoder.final_layer_norm.weight", -1, "encoder_final_norm"),
    ("t5-base", "decoder.block.3.layer.0.layer_norm.weight", 3, "decoder_input_layernorm"),
    ("t5-base", "decoder.block.3.layer.1.layer_norm.weight", 3, "decoder_cross_attention_layernorm"),
    ("t5-base", "decoder.block.3.layer.2.layer_norm.weight", 3, "decoder_post_attention_layernorm"),
    ("t5-base", "decoder.final_layer_norm.weight", -1, "decoder_final_norm"),
    ("all-mpnet-base-v2", "encoder.layer.11.attention.LayerNorm.weight", 11, "post_attention_layernorm"),
    ("all-mpnet-base-v2", "encoder.layer.11.output.LayerNorm.bias", 11, "post_feedforward_layernorm_bias"),
    ("mpnet-base", "mpnet.embeddings.LayerNorm.weight", -1, "embedding_norm"),
    ("electra-small", "electra.embeddings.LayerNorm.weight", -1, "embedding_norm"),
    (
        "electra-small",
        "electra.encoder.layer.11.attention.output.LayerNorm.bias",
        11,
        "post_attention_layernorm_bias",
    ),
    ("deberta-v3-small", "deberta.encoder.layer.5.output.LayerNorm.weight", 5, "post_feedforward_layernorm"),
    ("ModernBERT-base", "model.embeddings.norm.weight", -1, "embedding_norm"),
    ("ModernBERT-base", "model.layers.1.attn_norm.weight", 1, "input_layernorm"),
    ("ModernBERT-base", "model.layers.1.mlp_norm.weight", 1, "post_attention_layernorm"),
    ("ModernBERT-base", "model.final_norm.weight", -1, "final_norm"),
    ("whisper-tiny", "model.encoder.layers.3.self_attn_layer_norm.weight", 3, "encoder_input_layernorm"),
    (
        "whisper-tiny",
        "model.encoder.layers.3.final_layer_norm.bias",
        3,
        "encoder_post_attention_layernorm_bias",
    ),
    ("whisper-tiny", "model.encoder.layer_norm.weight", -1, "encoder_final_norm"),
    ("whisper-tiny", "model.decoder.layers.3.self_attn_layer_norm.weight", 3, "decoder_input_layernorm"),
    (
        "whisper-tiny",
        "model.decoder.layers.3.encoder_attn_layer_norm.weight",
        3,
        "decoder_cross_attention_layernorm",
    ),
    ("whisper-tiny", "model.decoder.layers.3.final_layer_norm.weight", 3, "decoder_post_attention_layernorm"),
    ("whisper-tiny", "model.decoder.layer_norm.bias", -1, "decoder_final_norm_bias"),
    ("bart-base", "encoder.layernorm_embedding.weight", -1, "encoder_embedding_norm"),
    ("bart-base", "decoder.layernorm_embedding.bias", -1, "decoder_embedding_norm_bias"),
    ("tiny.en.pt", "encoder.blocks.0.attn_ln.weight", 0, "encoder_input_layernorm"),
    ("tiny.en.pt", "encoder.blocks.0.mlp_ln.bias", 0, "encoder_post_attention_layernorm_bias"),
    ("tiny.en.pt", "encoder.ln_post.weight", -1, "encoder_final_norm"),
    ("tiny.en.pt", "decoder.blocks.0.attn_ln.weight", 0, "decoder_input_layernorm"),
    ("tiny.en.pt", "decoder.blocks.0.cross_attn_ln.weight", 0, "decoder_cross_attention_layernorm"),
    ("tiny.en.pt", "decoder.blocks.0.mlp_ln.weight", 0, "decoder_post_attention_layernorm"),
    ("tiny.en.pt", "decoder.ln.weight", -1, "decoder_final_norm"),
    ("lemmaturk", "transformer.encoder.layers.2.norm1.weight", 2, "encoder_post_attention_layernorm"),
    ("lemmaturk", "transformer.encoder.layers.2.norm2.weight", 2, "encoder_post_feedforward_layernorm"),
    ("lemmaturk", "transformer.encoder.norm.weight", -1, "encoder_final_norm"),
    ("lemmaturk", "transformer.decoder.layers.2.norm1.weight", 2, "decoder_post_attention_layernorm"),
    ("lemmaturk", "transformer.decoder.layers.2.norm2.weight", 2, "decoder_cross_attention_layernorm"),
    ("lemmaturk", "transformer.decoder.layers.2.norm3.bias", 2, "decoder_post_feedforward_layernorm_bias"),
    ("lemmaturk", "transformer.decoder.norm.weight", -1, "decoder_final_norm"),
    ("mamba-130m", "backbone.layers.23.norm.weight", 23, "input_layernorm"),
    ("mamba2-130m", "backbone.layers.23.mixer.norm.weight", 23, "mixer_norm"),
    ("mamba-130m", "backbone.norm_f.weight", -1, "final_norm"),
]


def vector(name: str, *shape: int, dtype: str = "BF16") -> Tensor:
    return Tensor(name, dtype, shape or (8,), 0, 0)


@pytest.mark.parametrize(
    ("model", "tensor", "layer", "ln_type"), REAL, ids=[f"{row[0]}:{row[1]}" for row in REAL]
)
def test_a_real_name_is_known(model: str, tensor: str, layer: int, ln_type: str) -> None:  # noqa: ARG001
    assert may_be_norm(tensor)
    assert known_norm(tensor) == NormName(layer, ln_type)


@pytest.mark.parametrize(
    "row", range(len(patterns()["norms"])), ids=[name for name, _ in patterns()["norms"]]
)
def test_without_a_pattern_a_real_name_would_not_be_known(row: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = compiled_patterns()["norms"]
    monkeypatch.setitem(compiled_patterns(), "norms", [*rows[:row], *rows[row + 1 :]])
    assert [tensor for _, tensor, _, _ in REAL if known_norm(tensor) is None]


def test_every_pattern_matches_a_real_name() -> None:
    modules = [tensor.rpartition(".")[0] for _, tensor, _, _ in REAL]
    unmatched = [
        pattern
        for pattern, _ in compiled_patterns()["norms"]
        if not any(pattern.fullmatch(WRAPPER.sub("", module, count=1)) for module in modules)
    ]
    assert unmatched == []


NAMED_ALIKE = ["self_attn_layer_norm", "final_layer_norm"]


def test_norms_of_two_stacks_are_named_by_their_place() -> None:
    """BART's norms are after each block, Whisper's before it, and Whisper's stacks end in a norm."""
    layers = [
        vector(f"model.{stack}.layers.0.{norm}.{part}")
        for stack in ("encoder", "decoder")
        for norm in NAMED_ALIKE
        for part in ("weight", "bias")
    ]
    ends = [vector(f"model.{stack}.layer_norm.weight") for stack in ("encoder", "decoder")]
    bart, whisper = name_norms(layers), name_norms(layers + ends)
    first, last = (f"model.encoder.layers.0.{norm}.weight" for norm in NAMED_ALIKE)
    assert bart[first] == NormName(0, "encoder_post_attention_layernorm")
    assert bart[last] == NormName(0, "encoder_post_feedforward_layernorm")
    assert bart["model.decoder.layers.0.final_layer_norm.bias"] == NormName(
        0, "decoder_post_feedforward_layernorm_bias"
    )
    assert whisper[first] == NormName(0, "encoder_input_layernorm")
    assert whisper[last] == NormName(0, "encoder_post_attention_layernorm")


def test_both_formats_of_whisper_give_the_same_names() -> None:
    openai = ["encoder.blocks.0.attn_ln", "encoder.blocks.0.mlp_ln", "encoder.ln_post"]
    transformers = [*(f"model.encoder.layers.0.{norm}" for norm in NAMED_ALIKE), "model.encoder.layer_norm"]
    ours, theirs = (
        list(name_norms(vector(f"{name}.weight") for name in names).values())
        for names in (openai, transformers)
    )
    assert ours == theirs


@pytest.mark.parametrize(
    "tensor",
    [
        "model.layers.0.mlp.experts.127.down_proj.weight",
        "model.layers.0.mlp.gate.e_score_correction_bias",
        "model.layers.0.input_layernorm.weight_scale_inv",
        "bn.norm.running_mean",
        "lm_head.weight",
        "model.lnx.weight",
    ],
)
def test_what_is_no_norm_is_left(tensor: str) -> None:
    assert name_norms([vector(tensor)]) == {}


def test_an_unknown_norm_keeps_its_own_name_and_its_layer() -> None:
    named = name_norms(
        [
            vector("vision_tower.blocks.7.layer_norm1.weight"),
            vector("vision_tower.blocks.7.layer_norm1.bias"),
            vector("mtp.norm.weight"),
            vector("odd.blocks.1.experts.5.ln.weight"),
        ]
    )
    assert list(named.values()) == [
        NormName(7, "vision_tower.blocks.layer_norm1"),
        NormName(7, "vision_tower.blocks.layer_norm1_bias"),
        NormName(-1, "mtp.norm"),
        NormName(1, "odd.blocks.experts.5.ln"),
    ]


def test_an_unknown_name_must_be_a_float_vector_to_count() -> None:
    assert name_norms([vector("norm_proj.weight", 8, 8), vector("a.norm.weight", dtype="I8")]) == {}


def test_a_known_norm_by_head_is_taken_flat() -> None:
    assert name_norms([vector("model.layers.0.self_attn.q_norm.weight", 64, 128)])


def test_two_tensors_that_would_share_a_name_keep_their_own() -> None:
    first, second = (
        "model.layers.0.input_layernorm.weight",
        "language_model.model.layers.0.input_layernorm.weight",
    )
    assert name_norms([vector(first), vector(second)]) == {
        first: NormName(-1, first),
        second: NormName(-1, second),
    }


def test_projections_are_known_by_layer() -> None:
    assert projection("model.layers.10.self_attn.k_proj.weight") == NormName(10, "k_proj")
    assert projection("language_model.model.layers.2.self_attn.v_proj.weight") == NormName(2, "v_proj")
    assert projection("model.decoder.layers.2.self_attn.v_proj.weight") == NormName(2, "decoder_v_proj")
    tower = "vision_tower.vision_model.encoder.layers"
    assert projection(f"{tower}.2.self_attn.v_proj.weight") == NormName(2, f"{tower}.self_attn.v_proj")
    assert projection("model.layers.10.self_attn.k_proj.bias") is None
    assert projection("model.layers.10.self_attn.q_proj.weight") is None
