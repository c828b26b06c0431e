"""Recognises norms by tensor name, and names each as (layer, ln_type).

The table below maps the names of known families to one vocabulary:

    input_layernorm            before attention (ln_1, attention_norm, norm_1 … of other families)
    post_attention_layernorm   before the feed-forward part; in Gemma 2/3, OLMo 2 and BERT, which normalise
                               the output of a block, after attention
    pre_feedforward_layernorm, post_feedforward_layernorm    around the feed-forward part
    q_norm, k_norm, q_a_norm, kv_a_norm                      inside attention
    final_norm, embedding_norm                               layer -1
    encoder_…, decoder_…                                     of a model with two stacks (T5, BART, Whisper)
    decoder_cross_attention_layernorm                        beside the attention to the encoder
    …_bias                                                   the β of each

Encoder-only models (BERT) and decoder-only ones (Llama) have one stack, and no prefix. In a pattern `{layer}`
is the layer's number and `[a.|b.]` an optional prefix. A norm that no pattern matches keeps its own name
without the layer's number, so that it is neither lost nor mistaken for another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from ingest.formats.dtypes import DECODABLE
from ingest.formats.safetensors_header import Tensor
from warehouse.rows import NO_LAYER


class NormName(NamedTuple):
    layer: int
    ln_type: str


BERT = "[bert.|roberta.|electra.|deberta.|mpnet.]"

# family, tensor name without its last part (.weight, .bias), ln_type
PATTERNS = [
    # Llama, Mistral, Mixtral, Qwen 1.5/2/3, Yi, GLM-4.5, Solar, Phi-3.5-MoE, Phi-2, DeepSeek, Gemma, OLMo 2
    ("llama-like", "model.layers.{layer}.input_layernorm", "input_layernorm"),
    ("llama-like", "model.layers.{layer}.post_attention_layernorm", "post_attention_layernorm"),
    ("llama-like", "model.layers.{layer}.self_attn.q_norm", "q_norm"),
    ("llama-like", "model.layers.{layer}.self_attn.k_norm", "k_norm"),
    ("llama-like", "model.norm", "final_norm"),
    ("gemma", "model.layers.{layer}.pre_feedforward_layernorm", "pre_feedforward_layernorm"),
    ("gemma", "model.layers.{layer}.post_feedforward_layernorm", "post_feedforward_layernorm"),
    ("deepseek", "model.layers.{layer}.self_attn.q_a_layernorm", "q_a_norm"),
    ("deepseek", "model.layers.{layer}.self_attn.kv_a_layernorm", "kv_a_norm"),
    # multi-token prediction layers of DeepSeek V3 and GLM-4.5, numbered after the last decoder layer
    ("mtp", "model.layers.{layer}.enorm", "enorm"),
    ("mtp", "model.layers.{layer}.hnorm", "hnorm"),
    ("mtp", "model.layers.{layer}.shared_head.norm", "shared_head_norm"),
    ("phi-2", "model.final_layernorm", "final_norm"),
    ("internlm2", "model.layers.{layer}.attention_norm", "input_layernorm"),
    ("internlm2", "model.layers.{layer}.ffn_norm", "post_attention_layernorm"),
    # some files have the prefix transformer.
    ("gpt-2", "[transformer.]h.{layer}.ln_1", "input_layernorm"),
    ("gpt-2", "[transformer.]h.{layer}.ln_2", "post_attention_layernorm"),
    ("gpt-2", "[transformer.]ln_f", "final_norm"),
    ("bloom", "[transformer.]word_embeddings_layernorm", "embedding_norm"),
    ("gpt-neox", "gpt_neox.layers.{layer}.input_layernorm", "input_layernorm"),
    ("gpt-neox", "gpt_neox.layers.{layer}.post_attention_layernorm", "post_attention_layernorm"),
    ("gpt-neox", "gpt_neox.final_layer_norm", "final_norm"),
    # falcon-7b has one norm a layer, 40b two in parallel, the rw ones two in a row
    ("falcon", "[transformer.]h.{layer}.input_layernorm", "input_layernorm"),
    ("falcon", "[transformer.]h.{layer}.post_attention_layernorm", "post_attention_layernorm"),
    ("falcon", "[transformer.]h.{layer}.ln_attn", "input_layernorm"),
    ("falcon", "[transformer.]h.{layer}.ln_mlp", "pre_feedforward_layernorm"),
    ("mpt", "transformer.blocks.{layer}.norm_1", "input_layernorm"),
    ("mpt", "transformer.blocks.{layer}.norm_2", "post_attention_layernorm"),
    ("mpt", "transformer.blocks.{layer}.attn.q_ln", "q_norm"),
    ("mpt", "transformer.blocks.{layer}.attn.k_ln", "k_norm"),
    ("mpt", "transformer.norm_f", "final_norm"),
    # ELECTRA's embedding norm may be narrower than the rest: 128 of 256 in the small one
    ("bert", f"{BERT}embeddings.LayerNorm", "embedding_norm"),
    ("bert", f"{BERT}encoder.layer.{{layer}}.attention.output.LayerNorm", "post_attention_layernorm"),
    ("bert", f"{BERT}encoder.layer.{{layer}}.output.LayerNorm", "post_feedforward_layernorm"),
    ("mpnet", "[mpnet.]encoder.layer.{layer}.attention.LayerNorm", "post_attention_layernorm"),
    # pre-norm, except the embedding norm, which replaces the attention norm of layer 0
    ("modernbert", "[model.]embeddings.norm", "embedding_norm"),
    ("modernbert", "[model.]layers.{layer}.attn_norm", "input_layernorm"),
    ("modernbert", "[model.]layers.{layer}.mlp_norm", "post_attention_layernorm"),
    ("modernbert", "[model.]final_norm", "final_norm"),
    ("distilbert", "[distilbert.]transformer.layer.{layer}.sa_layer_norm", "post_attention_layernorm"),
    ("distilbert", "[distilbert.]transformer.layer.{layer}.output_layer_norm", "post_feedforward_layernorm"),
    ("distilbert", "distilbert.embeddings.LayerNorm", "embedding_norm"),
    # two stacks with the same layer numbers: the stack goes into the name
    ("t5", "encoder.block.{layer}.layer.0.layer_norm", "encoder_input_layernorm"),
    ("t5", "encoder.block.{layer}.layer.1.layer_norm", "encoder_post_attention_layernorm"),
    ("t5", "encoder.final_layer_norm", "encoder_final_norm"),
    ("t5", "decoder.block.{layer}.layer.0.layer_norm", "decoder_input_layernorm"),
    ("t5", "decoder.block.{layer}.layer.1.layer_norm", "decoder_cross_attention_layernorm"),
    ("t5", "decoder.block.{layer}.layer.2.layer_norm", "decoder_post_attention_layernorm"),
    ("t5", "decoder.final_layer_norm", "decoder_final_norm"),
    # BART, mBART, Marian, Pegasus, M2M100 and Whisper as transformers saves them, and fairseq; see TWO_WAYS
    ("fairseq", "[model.]encoder.layers.{layer}.self_attn_layer_norm", "encoder_input_layernorm"),
    ("fairseq", "[model.]encoder.layers.{layer}.final_layer_norm", "encoder_post_attention_layernorm"),
    ("fairseq", "[model.]encoder.layer_norm", "encoder_final_norm"),
    ("fairseq", "[model.]encoder.layernorm_embedding", "encoder_embedding_norm"),
    ("fairseq", "[model.]decoder.layers.{layer}.self_attn_layer_norm", "decoder_input_layernorm"),
    (
        "fairseq",
        "[model.]decoder.layers.{layer}.encoder_attn_layer_norm",
        "decoder_cross_attention_layernorm",
    ),
    ("fairseq", "[model.]decoder.layers.{layer}.final_layer_norm", "decoder_post_attention_layernorm"),
    ("fairseq", "[model.]decoder.layer_norm", "decoder_final_norm"),
    ("fairseq", "[model.]decoder.layernorm_embedding", "decoder_embedding_norm"),
    # as OpenAI saves it
    ("whisper", "encoder.blocks.{layer}.attn_ln", "encoder_input_layernorm"),
    ("whisper", "encoder.blocks.{layer}.mlp_ln", "encoder_post_attention_layernorm"),
    ("whisper", "encoder.ln_post", "encoder_final_norm"),
    ("whisper", "decoder.blocks.{layer}.attn_ln", "decoder_input_layernorm"),
    ("whisper", "decoder.blocks.{layer}.cross_attn_ln", "decoder_cross_attention_layernorm"),
    ("whisper", "decoder.blocks.{layer}.mlp_ln", "decoder_post_attention_layernorm"),
    ("whisper", "decoder.ln", "decoder_final_norm"),
    # nn.Transformer, after each block unless it was made with norm_first, which no file says
    ("pytorch", "[transformer.]encoder.layers.{layer}.norm1", "encoder_post_attention_layernorm"),
    ("pytorch", "[transformer.]encoder.layers.{layer}.norm2", "encoder_post_feedforward_layernorm"),
    ("pytorch", "[transformer.]encoder.norm", "encoder_final_norm"),
    ("pytorch", "[transformer.]decoder.layers.{layer}.norm1", "decoder_post_attention_layernorm"),
    ("pytorch", "[transformer.]decoder.layers.{layer}.norm2", "decoder_cross_attention_layernorm"),
    ("pytorch", "[transformer.]decoder.layers.{layer}.norm3", "decoder_post_feedforward_layernorm"),
    ("pytorch", "[transformer.]decoder.norm", "decoder_final_norm"),
    ("mamba", "backbone.layers.{layer}.norm", "input_layernorm"),
    ("mamba", "backbone.layers.{layer}.mixer.norm", "mixer_norm"),
    ("mamba", "backbone.norm_f", "final_norm"),
]

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
    """The NormName by the table, also inside a multimodal wrapper."""
    module, _, last = tensor.rpartition(".")
    for name in dict.fromkeys((module, WRAPPER.sub("", module, count=1))):
        for pattern, ln_type in compiled_patterns():
            if match := pattern.fullmatch(name):
                layer = int(match["layer"]) if "layer" in pattern.groupindex else NO_LAYER
                return NormName(layer, ln_type + LAST_PARTS[last])
    return None


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
def compiled_patterns() -> list[tuple[re.Pattern[str], str]]:
    return [(compiled(pattern), ln_type) for _, pattern, ln_type in PATTERNS]


def compiled(pattern: str) -> re.Pattern[str]:
    """One pattern of a table of names; `{expert}` is the number of a routed expert."""
    regex = re.escape(pattern)
    for number in ("layer", "expert"):
        regex = regex.replace(rf"\{{{number}\}}", f"(?P<{number}>[0-9]{{1,4}})")
    return re.compile(regex.replace(r"\[", "(?:").replace(r"\]", ")?").replace(r"\|", "|"))
