"""Published facts of the twelve models besides their weights: config.json, shards, licence, tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# Part of every seed: another version gives other values. Commits follow REPLICA_FILES_VERSION (markers.py).
GENERATOR_VERSION = "1"
# Mistral's v0.3 vocabulary has this many control tokens more than Mixtral's.
CONTROL_TOKENS = 768

Config = dict[str, Any]  # JSON object


@dataclass(frozen=True)
class Published:
    """Published facts of a repo besides its weights."""

    shards: int
    licence: str
    tokenizer: str  # family of tokenizers
    config: Config  # the relevant keys
    shard_bytes: int | None = None  # limit per shard, where it is not a usual one
    base: str | None = None  # the base model that the documents name


_COMMON: Config = {"hidden_act": "silu", "torch_dtype": "bfloat16", "use_cache": True}

_GLM: Config = _COMMON | {
    "architectures": ["Glm4MoeForCausalLM"],
    "model_type": "glm4_moe",
    "attention_bias": True,
    "first_k_dense_replace": 1,
    "head_dim": 128,
    "hidden_size": 4096,
    "intermediate_size": 10944,
    "max_position_embeddings": 131072,
    "moe_intermediate_size": 1408,
    "n_group": 1,
    "n_routed_experts": 128,
    "n_shared_experts": 1,
    "norm_topk_prob": True,
    "num_attention_heads": 96,
    "num_experts_per_tok": 8,
    "num_hidden_layers": 46,
    "num_key_value_heads": 8,
    "partial_rotary_factor": 0.5,
    "rms_norm_eps": 1e-05,
    "rope_theta": 1000000,
    "routed_scaling_factor": 1.0,
    "tie_word_embeddings": False,
    "topk_group": 1,
    "use_qk_norm": False,
    "vocab_size": 151552,
}

_SOLAR: Config = _COMMON | {
    "architectures": ["SolarOpenForCausalLM"],
    "model_type": "solar_open",
    "attention_bias": False,
    "first_k_dense_replace": 0,
    "head_dim": 128,
    "hidden_size": 4096,
    "intermediate_size": 10240,
    "max_position_embeddings": 131072,
    "moe_intermediate_size": 1280,
    "n_group": 1,
    "n_routed_experts": 128,
    "n_shared_experts": 1,
    "norm_topk_prob": True,
    "num_attention_heads": 64,
    "num_experts_per_tok": 8,
    "num_hidden_layers": 48,
    "num_key_value_heads": 8,
    "rms_norm_eps": 1e-05,
    "rope_theta": 1000000,
    "routed_scaling_factor": 1.0,
    "tie_word_embeddings": False,
    "topk_group": 1,
    "vocab_size": 196608,
}

_PHI: Config = _COMMON | {
    "architectures": ["PhiMoEForCausalLM"],
    "model_type": "phimoe",
    "attention_bias": True,
    "hidden_size": 4096,
    "intermediate_size": 6400,
    "lm_head_bias": True,
    "max_position_embeddings": 131072,
    "num_attention_heads": 32,
    "num_experts_per_tok": 2,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "num_local_experts": 16,
    "rms_norm_eps": 1e-05,
    "rope_theta": 10000.0,
    "tie_word_embeddings": False,
    "vocab_size": 32064,
}

_MISTRAL: Config = _COMMON | {
    "architectures": ["MistralForCausalLM"],
    "model_type": "mistral",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "max_position_embeddings": 32768,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "rms_norm_eps": 1e-05,
    "rope_theta": 1000000.0,
    "sliding_window": None,
    "tie_word_embeddings": False,
    "vocab_size": 32768,
}

_MIXTRAL: Config = _MISTRAL | {
    "architectures": ["MixtralForCausalLM"],
    "model_type": "mixtral",
    "num_experts_per_tok": 2,
    "num_local_experts": 8,
    "vocab_size": 32000,
}

_YI: Config = _COMMON | {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "attention_bias": False,
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "max_position_embeddings": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 4,
    "rms_norm_eps": 1e-06,
    "rope_theta": 5000000.0,
    "tie_word_embeddings": False,
    "vocab_size": 64000,
}

_INTERNLM: Config = _COMMON | {
    "architectures": ["InternLM2ForCausalLM"],
    "model_type": "internlm2",
    "bias": False,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "max_position_embeddings": 32768,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "rms_norm_eps": 1e-05,
    "rope_theta": 1000000,
    "tie_word_embeddings": False,
    "vocab_size": 92544,
}

_QWEN15: Config = _COMMON | {
    "architectures": ["Qwen2ForCausalLM"],
    "model_type": "qwen2",
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "max_position_embeddings": 32768,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 32,
    "rms_norm_eps": 1e-06,
    "rope_theta": 1000000.0,
    "tie_word_embeddings": False,
    "vocab_size": 151936,
}

_QWEN3_4B: Config = _COMMON | {
    "architectures": ["Qwen3ForCausalLM"],
    "model_type": "qwen3",
    "attention_bias": False,
    "head_dim": 128,
    "hidden_size": 2560,
    "intermediate_size": 9728,
    "max_position_embeddings": 40960,
    "num_attention_heads": 32,
    "num_hidden_layers": 36,
    "num_key_value_heads": 8,
    "rms_norm_eps": 1e-06,
    "rope_theta": 1000000,
    "tie_word_embeddings": True,
    "vocab_size": 151936,
}

_QWEN3_14B: Config = _QWEN3_4B | {
    "hidden_size": 5120,
    "intermediate_size": 17408,
    "num_attention_heads": 40,
    "num_hidden_layers": 40,
    "tie_word_embeddings": False,
}

SOLAR = "upstage/Solar-Open-100B"
GLM = "zai-org/GLM-4.5-Air"
# By INTELLECT-3's own report both were trained from it. The replica does not have it.
GLM_BASE = "zai-org/GLM-4.5-Air-Base"
INTELLECT = "PrimeIntellect/INTELLECT-3"
PHI = "microsoft/Phi-3.5-MoE-instruct"
MIXTRAL = "mistralai/Mixtral-8x7B-Instruct-v0.1"
MISTRAL_7B = "mistralai/Mistral-7B-Instruct-v0.3"
YI_6B = "01-ai/Yi-1.5-6B-Chat"
YI_9B = "01-ai/Yi-1.5-9B-Chat"
INTERNLM2_7B = "internlm/internlm2-chat-7b"
QWEN15_7B = "Qwen/Qwen1.5-7B-Chat"
QWEN3_4B = "Qwen/Qwen3-4B"
QWEN3_14B = "Qwen/Qwen3-14B"

PUBLISHED: dict[str, Published] = {
    SOLAR: Published(42, "other", "solar", _SOLAR),
    # The norms of layer n are in shard n + 1.
    GLM: Published(47, "mit", "glm", _GLM | {"num_nextn_predict_layers": 1}, 4_720_000_000, GLM_BASE),
    # The shard count is published as "some 40"; 43 is what 214 GB in shards of 5 GB come to.
    INTELLECT: Published(43, "mit", "glm", _GLM | {"num_nextn_predict_layers": 0}, base=GLM_BASE),
    PHI: Published(17, "mit", "llama", _PHI),
    MIXTRAL: Published(19, "apache-2.0", "mistral", _MIXTRAL),
    MISTRAL_7B: Published(3, "apache-2.0", "mistral", _MISTRAL),
    YI_6B: Published(3, "apache-2.0", "yi", _YI),
    YI_9B: Published(4, "apache-2.0", "yi", _YI | {"num_hidden_layers": 48}),
    INTERNLM2_7B: Published(8, "other", "internlm", _INTERNLM),
    QWEN15_7B: Published(4, "other", "qwen", _QWEN15),
    QWEN3_4B: Published(3, "apache-2.0", "qwen", _QWEN3_4B),
    QWEN3_14B: Published(8, "apache-2.0", "qwen", _QWEN3_14B),
}
