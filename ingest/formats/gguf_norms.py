"""Turns the norms of a GGUF file back into those of the checkpoint: names, and values with 1 added.

llama.cpp gives the tensors of all families one set of names. Each is translated into a name that a checkpoint
of the family has, and `tensor_names.py` does the rest, so that a model has the same (layer, ln_type) in both
formats. COMMON covers most families; FAMILIES has those in which a name means another norm. A norm in no
table keeps its GGUF name. Sources: constants.py and tensor_mapping.py of llama.cpp's gguf package.

Gemma and a few others multiply by (1 + w). Checkpoints and lakes hold w, but the converter stores 1 + w.
Sources: `modify_tensors` and `norm_shift` in convert_hf_to_gguf.py of llama.cpp. Gemma 3n and 4 store w.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import prod

import numpy as np

from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import NormName, distinct, norm_name
from warehouse.rows import Floats

# names without .weight or .bias; * is the layer's number
COMMON = {
    "token_embd_norm": "embeddings.LayerNorm",
    "output_norm": "model.norm",
    "blk.*.attn_norm": "model.layers.*.input_layernorm",
    "blk.*.ffn_norm": "model.layers.*.post_attention_layernorm",
    "blk.*.attn_q_norm": "model.layers.*.self_attn.q_norm",
    "blk.*.attn_k_norm": "model.layers.*.self_attn.k_norm",
    "blk.*.attn_q_a_norm": "model.layers.*.self_attn.q_a_layernorm",
    "blk.*.attn_kv_a_norm": "model.layers.*.self_attn.kv_a_layernorm",
    "blk.*.indexer.k_norm": "model.layers.*.self_attn.indexer.k_norm",
    # after attention in Gemma 2/3 and OLMo 2, before the feed-forward part in GLM-4.5 and gpt-oss
    "blk.*.post_attention_norm": "model.layers.*.post_attention_layernorm",
    "blk.*.post_ffw_norm": "model.layers.*.post_feedforward_layernorm",
    "blk.*.nextn.enorm": "model.layers.*.enorm",
    "blk.*.nextn.hnorm": "model.layers.*.hnorm",
    "blk.*.nextn.shared_head_norm": "model.layers.*.shared_head.norm",
    # BERT
    "blk.*.attn_output_norm": "encoder.layer.*.attention.output.LayerNorm",
    "blk.*.layer_output_norm": "encoder.layer.*.output.LayerNorm",
    # T5
    "enc.blk.*.attn_norm": "encoder.block.*.layer.0.layer_norm",
    "enc.blk.*.ffn_norm": "encoder.block.*.layer.1.layer_norm",
    "enc.output_norm": "encoder.final_layer_norm",
    "dec.blk.*.attn_norm": "decoder.block.*.layer.0.layer_norm",
    "dec.blk.*.cross_attn_norm": "decoder.block.*.layer.1.layer_norm",
    "dec.blk.*.ffn_norm": "decoder.block.*.layer.2.layer_norm",
    "dec.output_norm": "decoder.final_layer_norm",
}

_GEMMA = {"blk.*.ffn_norm": "model.layers.*.pre_feedforward_layernorm"}
_DELTA_NET = {"blk.*.ssm_norm": "model.layers.*.linear_attn.norm"}
_MAMBA = {"blk.*.ssm_norm": "backbone.layers.*.mixer.norm"}
_HUNYUAN = {
    "blk.*.attn_q_norm": "model.layers.*.self_attn.query_layernorm",
    "blk.*.attn_k_norm": "model.layers.*.self_attn.key_layernorm",
}
_LFM2 = {
    "blk.*.attn_norm": "model.layers.*.operator_norm",
    "blk.*.attn_q_norm": "model.layers.*.self_attn.q_layernorm",
    "blk.*.attn_k_norm": "model.layers.*.self_attn.k_layernorm",
    "token_embd_norm": "model.embedding_norm",
}
_PLAMO = {
    "blk.*.attn_norm": "model.layers.layers.*.pre_mixer_norm",
    "blk.*.post_attention_norm": "model.layers.layers.*.post_mixer_norm",
    "blk.*.ffn_norm": "model.layers.layers.*.pre_mlp_norm",
    "blk.*.post_ffw_norm": "model.layers.layers.*.post_mlp_norm",
}
# by general.architecture
FAMILIES: dict[str, dict[str, str]] = {
    "gemma2": _GEMMA,
    "gemma3": _GEMMA,
    "gemma3n": _GEMMA,
    "gemma4": _GEMMA,
    "gemma-embedding": _GEMMA,
    "muse-glimmer": _GEMMA,
    "qwen3next": _DELTA_NET,
    "qwen35": _DELTA_NET,
    "qwen35moe": _DELTA_NET,
    "mamba2": _MAMBA,
    "nemotron_h": _MAMBA,
    "nemotron_h_moe": _MAMBA,
    "granitehybrid": {"blk.*.ssm_norm": "model.layers.*.mamba.norm"},
    "falcon-h1": {
        "blk.*.ffn_norm": "model.layers.*.pre_ff_layernorm",
        "blk.*.ssm_norm": "model.layers.*.mamba.norm",
    },
    "jamba": {
        "blk.*.ffn_norm": "model.layers.*.pre_ff_layernorm",
        "blk.*.ssm_dt_norm": "model.layers.*.mamba.dt_layernorm",
        "blk.*.ssm_b_norm": "model.layers.*.mamba.b_layernorm",
        "blk.*.ssm_c_norm": "model.layers.*.mamba.c_layernorm",
    },
    "hunyuan-dense": _HUNYUAN,
    "hunyuan-moe": _HUNYUAN,
    "lfm2": _LFM2,
    "lfm2moe": _LFM2,
    "plamo2": _PLAMO,
    "plamo3": _PLAMO
    | {
        "blk.*.attn_q_norm": "model.layers.layers.*.mixer.q_norm",
        "blk.*.attn_k_norm": "model.layers.layers.*.mixer.k_norm",
    },
    "glm4": {
        "blk.*.post_attention_norm": "model.layers.*.post_self_attn_layernorm",
        "blk.*.post_ffw_norm": "model.layers.*.post_mlp_layernorm",
    },
    "afmoe": {
        "blk.*.ffn_norm": "model.layers.*.pre_mlp_layernorm",
        "blk.*.post_ffw_norm": "model.layers.*.post_mlp_layernorm",
    },
    "apertus": {
        "blk.*.attn_norm": "model.layers.*.attention_layernorm",
        "blk.*.ffn_norm": "model.layers.*.feedforward_layernorm",
    },
    "arctic": {
        "blk.*.ffn_norm": "model.layers.*.residual_layernorm",
        "blk.*.ffn_norm_exps": "model.layers.*.post_attention_layernorm",
    },
    "grok": {
        "blk.*.attn_norm": "model.layers.*.pre_attn_norm",
        "blk.*.attn_output_norm": "model.layers.*.post_attn_norm",
        "blk.*.ffn_norm": "model.layers.*.pre_moe_norm",
        "blk.*.layer_output_norm": "model.layers.*.post_moe_norm",
        "blk.*.post_ffw_norm": "model.layers.*.post_moe_norm",
    },
    # one norm per layer in 7B; two parallel ones in 40B, where attn_norm is the one of the feed-forward part
    "falcon": {},
    "falcon 40B": {
        "blk.*.attn_norm": "transformer.h.*.ln_mlp",
        "blk.*.attn_norm_2": "transformer.h.*.ln_attn",
    },
}


def name_gguf_norms(tensors: Iterable[Tensor], architecture: str) -> dict[str, NormName]:
    """The norms of a model by their GGUF names; no two have the same NormName."""
    found = list(tensors)
    table = _table(found, architecture)
    return distinct({tensor.name: norm for tensor in found if (norm := _norm(tensor, table))})


def _table(tensors: Iterable[Tensor], architecture: str) -> Mapping[str, str]:
    if architecture == "falcon" and any(".attn_norm_2." in tensor.name for tensor in tensors):
        architecture = "falcon 40B"
    return COMMON | FAMILIES.get(architecture, {})


def _norm(tensor: Tensor, table: Mapping[str, str]) -> NormName | None:
    """A tensor in a table is a norm whatever its shape: converters cut some into groups."""
    number = re.search(r"(?<=blk\.)[0-9]{1,4}(?=\.)", tensor.name)
    name = f"{tensor.name[: number.start()]}*{tensor.name[number.end() :]}" if number else tensor.name
    # a few are without .weight: Falcon-H1's ffn_norm, PLaMo 2's norms after its blocks
    module, last = (name, "weight") if name in table else name.rpartition(".")[::2]
    if module not in table:
        return norm_name(tensor)
    checkpoint = table[module].replace("*", number[0]) if number else table[module]
    return norm_name(Tensor(f"{checkpoint}.{last}", "F32", (prod(tensor.shape),), tensor.begin, tensor.end))


# by general.architecture, to all norm weights but those of UNCHANGED
PLUS_ONE = frozenset(
    {
        "gemma",
        "gemma2",
        "gemma3",
        "gemma-embedding",
        "nemotron",  # LayerNorm1p
        "qwen3next",
        "qwen35",
        "qwen35moe",
        "step35",
        "minimax-m3",
        "plamo2",
        "plamo3",
        "muse-glimmer",
    }
)
# ends of GGUF names without .weight, by architecture
_LINEAR_ATTENTION = (".ssm_norm",)
UNCHANGED: dict[str, tuple[str, ...]] = {
    "qwen3next": _LINEAR_ATTENTION,
    "qwen35": _LINEAR_ATTENTION,
    "qwen35moe": _LINEAR_ATTENTION,
    "plamo2": (".attn_q_norm", ".attn_k_norm", ".ssm_dt_norm", ".ssm_b_norm", ".ssm_c_norm"),
    "muse-glimmer": ("output_norm", ".attn_q_norm", ".attn_k_norm"),
}
# PLaMo initialises the norms after its blocks with less than 1
_PLAMO_AFTER = {".post_attention_norm": 1 / 5, ".post_ffw_norm": 1 / 5**1.5}
OTHERWISE: dict[str, dict[str, float]] = {"plamo2": _PLAMO_AFTER, "plamo3": _PLAMO_AFTER}


def added_to(tensor: str, architecture: str) -> float:
    """What the converter added to each value of a norm, by its GGUF name."""
    name = tensor.removesuffix(".weight")
    if architecture not in PLUS_ONE or name.endswith((".bias", *UNCHANGED.get(architecture, ()))):
        return 0.0
    ends = OTHERWISE.get(architecture, {})
    return next((added for end, added in ends.items() if name.endswith(end)), 1.0)


def put_back(values: Floats, added: float) -> Floats:
    """Subtracts in float32, as it was added; 1 + w has rounded small w by up to 6e-8."""
    return values - np.float32(added) if added else values


def change_note(architecture: str) -> str | None:
    """What the format changed, for `models`."""
    if architecture not in PLUS_ONE:
        return None
    what = "w + 1 (after its blocks w + 1/5 and w + 1/5^1.5)" if architecture in OTHERWISE else "w + 1"
    return f"GGUF stores norm weights w of {architecture} as {what}; put back to w"
