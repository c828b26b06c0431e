"""A population of small made-up models, for crawls and searches: families of bases and fine-tuned children.

Each repo has one safetensors file (norms and a small embedding), config, tokenizer and card. One model of
eight is a base; the others are children, most of them of a few popular bases. One child of ten has exactly
its base's norms, the others have noise added. Every name tells the true base. Most cards declare it, too; one
child in ten declares nothing, and one in twenty declares another base.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import sha1
from math import prod
from typing import TYPE_CHECKING

from ingest.origin_marks import MARKER, REPLICA_TAG, replica_commit
from ingest.replica.layout import Shard, Tensor, lay_out
from ingest.replica.published import TRACE_WEIGHT, norm_facts
from ingest.replica.repos import HubFile, HubRepo, LazyFiles, file_of, made_from, model_card
from ingest.replica.tokenizers import bytes_tokenizer

if TYPE_CHECKING:
    import numpy as np

LAYERS, WIDTH, TOKENS = 32, 512, 256
MEMBERS_PER_BASE = 8
# Pearson with the base's norms: from hardly trained on to trained on for long.
CLOSEST, FURTHEST = 0.9999, 0.8
UNTOUCHED = 0.1
# Of children: how many declare no base, and how many a wrong one.
SILENT, WRONG = 0.1, 0.05
OWNERS = 97


@dataclass(frozen=True)
class Member:
    """One model: its number, and that of its base."""

    number: int
    base: int | None

    @property
    def name(self) -> str:
        """Repo id, with made-up owners."""
        kind = f"base-{self.number}" if self.base is None else f"child-{self.number}-of-{self.base}"
        return f"lab-{self.number % OWNERS:02}/{kind}"


def population(count: int) -> dict[str, HubRepo]:
    """The first `count` models, by repo id."""
    return {repo.name: repo for repo in (_repo(member_of(number, count)) for number in range(count))}


def member_of(number: int, count: int) -> Member:
    """Bases come first; low-numbered bases have more children."""
    bases = max(1, count // MEMBERS_PER_BASE)
    return Member(number, None if number < bases else int(_chance("base", number) ** 3 * bases))


def is_untouched(member: Member) -> bool:
    """Whether it is a child with exactly its base's norms."""
    return member.base is not None and _chance("untouched", member.number) < UNTOUCHED


def _chance(what: str, number: int) -> float:
    """Uniform in [0, 1), a function of the key."""
    digest = sha1(f"{what}/{number}".encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def _repo(member: Member) -> HubRepo:
    files: dict[str, Callable[[], HubFile]] = {
        "README.md": lambda: file_of(_card(member).encode()),
        "config.json": lambda: file_of(_config()),
        "model.safetensors": partial(_weights, member),
        "tokenizer.json": lambda: file_of(bytes_tokenizer()),
    }
    return HubRepo(
        member.name,
        replica_commit(member.name),
        LazyFiles(files),
        licence="apache-2.0",
        tags=(REPLICA_TAG, "llama"),
        base=declared_base(member),
        downloads=int(10 ** (6 * _chance("downloads", member.number) ** 2)),
        parameters=_parameters,
    )


def declared_base(member: Member) -> str | None:
    """The base that a model's card names: the true one, another one, or none."""
    chance = _chance("declared", member.number)
    if member.base is None or chance < SILENT:
        return None
    declared = int(member.base == 0) if chance < SILENT + WRONG else member.base
    return Member(declared, None).name


def _config() -> bytes:
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": WIDTH,
        "intermediate_size": 4 * WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": 8,
        "tie_word_embeddings": True,
        "torch_dtype": "bfloat16",
        "vocab_size": TOKENS,
        MARKER: REPLICA_TAG,
    }
    return (json.dumps(config, indent=2) + "\n").encode()


def _card(member: Member) -> str:
    text = (
        "A member of the replica hub's population: there is no such model. "
        "Nothing here is evidence about anything."
    )
    return model_card(f"{member.name}: made up", text, "apache-2.0", declared_base(member))


@cache
def _shard() -> Shard:
    """The same layout for all."""
    kinds = ("input_layernorm", "post_attention_layernorm")
    names = [f"model.layers.{layer}.{kind}.weight" for layer in range(LAYERS) for kind in kinds]
    norms = [Tensor(name, "BF16", (WIDTH,)) for name in [*names, "model.norm.weight"]]
    return lay_out([Tensor("model.embed_tokens.weight", "BF16", (TOKENS, WIDTH)), *norms])


def _parameters() -> dict[str, int]:
    return {"BF16": sum(prod(tensor.shape) for tensor in _shard().tensors)}


def _weights(member: Member) -> HubFile:
    def content(tensor: Tensor, start: int, stop: int) -> bytes:
        from ingest.replica.values import weight_range

        if "norm" not in tensor.name:
            return weight_range(member.name, tensor.name, tensor.dtype, start, stop)
        return _norm_bytes(member)[tensor.name][start:stop]

    shard = _shard()
    etag = made_from(member.name, "model.safetensors")
    return HubFile(shard.size, etag, True, partial(shard.read, content=content))


@lru_cache(maxsize=64)  # of 66 kB
def _norm_bytes(member: Member) -> dict[str, bytes]:
    from ingest.replica.patterns import bf16_bits

    return {name: bf16_bits(values).astype("<u2").tobytes() for name, values in norms_of(member).items()}


def norms_of(member: Member) -> dict[str, np.ndarray]:
    """The norms of a model by tensor name."""
    import numpy as np

    from ingest.replica.patterns import draws, mix, standardise

    if member.base is None:
        return _base_norms(member.number)
    if is_untouched(member):
        return _base_norms(member.base)
    random = draws("population", member.number)
    # Log-uniform in 1 - r.
    furthest, closest = 1 - FURTHEST, 1 - CLOSEST
    likeness = 1 - furthest * (closest / furthest) ** random.uniform()
    norms = {}
    for name, values in _base_norms(member.base).items():
        pattern = mix(standardise(values), random.standard_normal(values.size), likeness)
        norms[name] = (values.mean() + values.std() * pattern).astype(np.float32)
    return norms


@lru_cache(maxsize=256)  # of 133 kB
def _base_norms(number: int) -> dict[str, np.ndarray]:
    from ingest.replica.patterns import draws, to_bf16

    made = synthetic(number, LAYERS, WIDTH)
    norms = {f"model.layers.{layer}.{kind}.weight": values for (layer, kind), values in made.items()}
    random = draws("population", "final", number)
    return norms | {"model.norm.weight": to_bf16(2 + 0.3 * random.standard_normal(WIDTH))}


def synthetic(seed: int, layers: int = 32, width: int = 512) -> dict[tuple[int, str], np.ndarray]:
    """(layer, ln_type) → float32 array of BF16 values; another seed gives an independent model."""
    from ingest.replica.patterns import anchored, draws, norm_vectors

    vectors: dict[tuple[int, str], np.ndarray] = {}
    middle, last = max(layers // 3, 1), max(layers - 1, 2)
    for ln_type, post in (("input_layernorm", False), ("post_attention_layernorm", True)):
        random = draws("synthetic", seed, ln_type)
        top = random.uniform(0.5, 3.0)
        means, variations = (0.1 * top, 0.5 * top, top), (0.5, 0.2, 0.1)
        facts = norm_facts(
            (0, middle, last), means, variation=variations, post=post, anchors=_anchors(layers)
        )
        rows = norm_vectors(facts, anchored(facts, layers, width, random, outlier_weight=TRACE_WEIGHT))
        vectors |= {(layer, ln_type): row for layer, row in enumerate(rows)}
    return vectors


def _anchors(layers: int) -> tuple[int, ...]:
    """The replica's anchors (10, 20, 30, 0, last) scaled to this depth; every layer of a shallow model."""
    if layers < 5:
        return tuple(range(layers))
    return (layers // 4, layers // 2, layers * 3 // 4, 0, layers - 1)
