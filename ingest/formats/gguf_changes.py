"""What llama.cpp's converter adds to norm weights, and how it is taken away again.

Gemma and a few others multiply by (1 + w); GGUF stores 1 + w, so that one formula serves all. Checkpoints
hold w, and so does a lake. Source: convert_hf_to_gguf.py of llama.cpp (later conversion/), `modify_tensors`
and `norm_shift` of each family. Gemma 3n and Gemma 4 store w as it is.
"""

from __future__ import annotations

import numpy as np

from warehouse.schemas import Floats

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
# PLaMo begins the norms behind its blocks smaller than 1
_PLAMO_BEHIND = {".post_attention_norm": 1 / 5, ".post_ffw_norm": 1 / 5**1.5}
OTHERWISE: dict[str, dict[str, float]] = {"plamo2": _PLAMO_BEHIND, "plamo3": _PLAMO_BEHIND}


def added_to(tensor: str, architecture: str) -> float:
    """What the converter added to each value of a norm, by its name in GGUF."""
    name = tensor.removesuffix(".weight")
    if architecture not in PLUS_ONE or name.endswith((".bias", *UNCHANGED.get(architecture, ()))):
        return 0.0
    ends = OTHERWISE.get(architecture, {})
    return next((added for end, added in ends.items() if name.endswith(end)), 1.0)


def put_back(values: Floats, added: float) -> Floats:
    """In float32, as it was added: the same value again, but for what 1 + w rounded off a small w (6e-8)."""
    return values - np.float32(added) if added else values


def change_note(architecture: str) -> str | None:
    """For `models`: what the format had changed."""
    if architecture not in PLUS_ONE:
        return None
    what = "w + 1 (behind its blocks w + 1/5 and w + 1/5^1.5)" if architecture in OTHERWISE else "w + 1"
    return f"GGUF stores norm weights w of {architecture} as {what}; put back to w"
