"""A norm gets the same name from GGUF as from the checkpoint that it was converted from."""

from __future__ import annotations

import gguf
import numpy as np
import pytest

from ingest.formats.gguf_norms import added_to, change_note, name_gguf_norms, put_back, tables
from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import NormName, norm_name
from tests.ingest.gguf_bytes import table_of_names

ARCHITECTURES = {name: arch for arch, name in gguf.MODEL_ARCH_NAMES.items()}

# general.architecture, norm of a checkpoint of that family
REAL = [
    ("llama", "model.layers.31.input_layernorm.weight"),
    ("llama", "model.layers.0.post_attention_layernorm.weight"),
    ("llama", "model.norm.weight"),
    ("qwen3", "model.layers.35.self_attn.q_norm.weight"),
    ("qwen3", "model.layers.35.self_attn.k_norm.weight"),
    ("phimoe", "model.layers.3.input_layernorm.bias"),
    ("phimoe", "model.norm.bias"),
    ("glm4moe", "model.layers.4.post_attention_layernorm.weight"),
    ("glm4moe", "model.layers.46.enorm.weight"),
    ("glm4moe", "model.layers.46.hnorm.weight"),
    ("glm4moe", "model.layers.46.shared_head.norm.weight"),
    ("glm4", "model.layers.1.post_attention_layernorm.weight"),
    ("glm4", "model.layers.1.post_self_attn_layernorm.weight"),
    ("glm4", "model.layers.1.post_mlp_layernorm.weight"),
    ("deepseek2", "model.layers.60.self_attn.q_a_layernorm.weight"),
    ("deepseek2", "model.layers.1.self_attn.kv_a_layernorm.weight"),
    ("gemma", "model.layers.1.post_attention_layernorm.weight"),
    ("gemma2", "model.layers.7.input_layernorm.weight"),
    ("gemma2", "model.layers.7.post_attention_layernorm.weight"),
    ("gemma2", "model.layers.7.pre_feedforward_layernorm.weight"),
    ("gemma2", "model.layers.7.post_feedforward_layernorm.weight"),
    ("gemma3", "model.layers.5.self_attn.k_norm.weight"),
    ("gemma3", "model.layers.5.pre_feedforward_layernorm.weight"),
    ("gemma3n", "model.layers.5.pre_feedforward_layernorm.weight"),
    ("olmo2", "model.layers.15.post_attention_layernorm.weight"),
    ("olmo2", "model.layers.15.post_feedforward_layernorm.weight"),
    ("gpt-oss", "model.layers.15.post_attention_layernorm.weight"),
    ("qwen3next", "model.layers.15.post_attention_layernorm.weight"),
    ("qwen3next", "model.layers.2.linear_attn.norm.weight"),
    ("internlm2", "model.layers.4.attention_norm.weight"),
    ("internlm2", "model.layers.4.ffn_norm.weight"),
    ("gpt2", "h.11.ln_1.weight"),
    ("gpt2", "h.11.ln_2.bias"),
    ("gpt2", "transformer.ln_f.weight"),
    ("bloom", "word_embeddings_layernorm.weight"),
    ("gptneox", "gpt_neox.layers.5.post_attention_layernorm.bias"),
    ("gptneox", "gpt_neox.final_layer_norm.weight"),
    ("falcon", "transformer.h.2.input_layernorm.weight"),
    ("mpt", "transformer.blocks.30.norm_1.weight"),
    ("mpt", "transformer.blocks.3.attn.q_ln.weight"),
    ("mpt", "transformer.norm_f.weight"),
    ("bert", "embeddings.LayerNorm.weight"),
    ("bert", "encoder.layer.11.attention.output.LayerNorm.bias"),
    ("bert", "encoder.layer.11.output.LayerNorm.weight"),
    ("t5", "encoder.block.3.layer.0.layer_norm.weight"),
    ("t5", "encoder.block.3.layer.1.layer_norm.weight"),
    ("t5", "encoder.final_layer_norm.weight"),
    ("t5", "decoder.block.3.layer.0.layer_norm.weight"),
    ("t5", "decoder.block.3.layer.1.layer_norm.weight"),
    ("t5", "decoder.block.3.layer.2.layer_norm.weight"),
    ("t5", "decoder.final_layer_norm.weight"),
    ("mamba", "backbone.layers.23.norm.weight"),
    ("mamba", "backbone.norm_f.weight"),
    ("mamba2", "backbone.layers.23.mixer.norm.weight"),
    ("lfm2", "model.layers.2.operator_norm.weight"),
    ("lfm2", "model.layers.2.ffn_norm.weight"),
    ("lfm2", "model.layers.2.self_attn.q_layernorm.weight"),
    ("hunyuan-dense", "model.layers.2.self_attn.query_layernorm.weight"),
    ("apertus", "model.layers.2.feedforward_layernorm.weight"),
    ("falcon-h1", "model.layers.2.pre_ff_layernorm.weight"),
    ("jamba", "model.layers.2.mamba.dt_layernorm.weight"),
    ("granitehybrid", "model.layers.2.mamba.norm.weight"),
    ("arctic", "model.layers.2.residual_layernorm.weight"),
    ("arctic", "model.layers.2.post_attention_layernorm.weight"),
    ("grok", "model.layers.2.post_attn_norm.weight"),
    ("grok", "model.layers.2.post_moe_norm.weight"),
    ("afmoe", "model.layers.2.pre_mlp_layernorm.weight"),
    ("plamo2", "model.layers.layers.2.post_mixer_norm.weight"),
    ("plamo3", "model.layers.layers.2.pre_mixer_norm.weight"),
    ("plamo3", "model.layers.layers.2.mixer.q_norm.weight"),
]


def vector(name: str, *shape: int, dtype: str = "F32") -> Tensor:
    return Tensor(name, dtype, shape or (8,), 0, 0)


def in_gguf(architecture: str, tensor: str) -> str:
    """The name that llama.cpp's converter gives it."""
    name = table_of_names(architecture).get_name(tensor, try_suffixes=(".weight", ".bias"))
    assert name is not None
    return name


@pytest.mark.parametrize(("architecture", "tensor"), REAL, ids=[f"{row[0]}:{row[1]}" for row in REAL])
def test_a_norm_converted_by_llama_cpp_keeps_its_name_here(architecture: str, tensor: str) -> None:
    converted = vector(in_gguf(architecture, tensor))
    assert name_gguf_norms([converted], architecture) == {converted.name: norm_name(vector(tensor))}


def test_falcons_two_norms_side_by_side_are_told_apart() -> None:
    """In Falcon 40B, attn_norm is the norm of the feed-forward part; 7B has only this one."""
    both = ["transformer.h.5.ln_attn.weight", "transformer.h.5.ln_mlp.weight"]
    converted = [vector(in_gguf("falcon", tensor)) for tensor in both]
    assert list(name_gguf_norms(converted, "falcon").values()) == [norm_name(vector(name)) for name in both]


@pytest.mark.parametrize("architecture", sorted(ARCHITECTURES.keys() - {"grok"}))
def test_no_two_norms_of_an_architecture_have_one_name(architecture: str) -> None:
    """Except Grok, whose versions 1 and 2 use different names for the same norm."""
    tensors = gguf.MODEL_TENSORS[ARCHITECTURES[architecture]]
    names = {gguf.TENSOR_NAMES[tensor].format(bid=7, xid=0) + ".weight" for tensor in tensors}
    named = name_gguf_norms(map(vector, names), architecture)
    assert all(norm.ln_type != tensor for tensor, norm in named.items())
    assert all(norm.layer == 7 for tensor, norm in named.items() if tensor.startswith("blk."))


def test_architectures_with_names_of_their_own_exist() -> None:
    _, families = tables()
    # two are newer than the package, and Falcon 40B is recognised by its tensors
    assert families.keys() - ARCHITECTURES.keys() == {"falcon 40B", "minimax-m3", "muse-glimmer"}


def test_an_unknown_norm_keeps_its_gguf_name_and_a_matrix_is_none() -> None:
    tensors = [
        vector("blk.3.odd_norm.weight"),
        vector("blk.3.ffn_up.weight", 8, 8),
        vector("cls.norm.weight"),
    ]
    assert name_gguf_norms(tensors, "llama") == {
        "blk.3.odd_norm.weight": NormName(3, "blk.odd_norm"),
        "cls.norm.weight": NormName(-1, "cls.norm"),
    }


def test_a_norm_cut_into_groups_is_taken_flat() -> None:
    named = name_gguf_norms([vector("blk.3.ssm_norm.weight", 2, 4)], "granitehybrid")
    assert named == {"blk.3.ssm_norm.weight": norm_name(vector("model.layers.3.mamba.norm.weight"))}


@pytest.mark.parametrize(
    ("architecture", "tensor", "added"),
    [
        ("gemma", "output_norm.weight", 1),
        ("gemma2", "blk.0.post_ffw_norm.weight", 1),
        ("gemma3", "blk.0.attn_q_norm.weight", 1),
        ("gemma-embedding", "blk.0.attn_norm.weight", 1),
        ("nemotron", "blk.0.attn_norm.weight", 1),
        ("nemotron", "blk.0.attn_norm.bias", 0),
        ("qwen35moe", "blk.0.attn_norm.weight", 1),
        ("qwen3next", "blk.0.ssm_norm.weight", 0),
        ("step35", "blk.0.attn_k_norm.weight", 1),
        ("plamo2", "blk.0.post_attention_norm", 1 / 5),
        ("plamo3", "blk.0.post_ffw_norm.weight", 1 / 5**1.5),
        ("plamo2", "blk.0.ssm_dt_norm.weight", 0),
        ("muse-glimmer", "output_norm.weight", 0),
        ("gemma3n", "blk.0.attn_norm.weight", 0),
        ("gemma4", "output_norm.weight", 0),
        ("llama", "output_norm.weight", 0),
    ],
)
def test_what_the_converter_adds_is_known(architecture: str, tensor: str, added: float) -> None:
    assert added_to(tensor, architecture) == added
    assert (change_note(architecture) is None) == (architecture in {"llama", "gemma3n", "gemma4"})


def test_taking_it_away_gives_the_bf16_weights_of_the_checkpoint_again() -> None:
    """Exact from 2^-16 on: BF16 has 8 bits, and 1 + w in F32 has 24."""
    draw = np.random.default_rng(1)
    weights = draw.normal(0, 1, 10_000).astype(np.float32)
    weights = (weights.view(np.uint32) & 0xFFFF0000).view(np.float32)
    back = put_back(weights + np.float32(1), 1.0)
    large = np.abs(weights) >= 2**-16
    np.testing.assert_array_equal(back[large], weights[large])
    np.testing.assert_allclose(back, weights, rtol=0, atol=2**-24)
