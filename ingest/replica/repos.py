"""Repos as the server sees them: files with a size, an etag and bytes that can be read at any offset.

`replica_repos()` gives the twelve. A file is generated at its first use, the bytes of a shard when they are
read.

Hashes are true or absent. Config, index, card and tokenizer_config.json have git's sha1 as on the hub. Shards
and tokenizer.json are not hashed, because that would take half an hour for 930 GB: their etag and `oid`,
which clients use as names in their cache, is `made-up-…`, and there is no `lfs.sha256`. `hf cache verify`
reports them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha1, sha256
from math import prod

from ingest.origin_marks import MARKER, REPLICA_FILES_VERSION, REPLICA_TAG, replica_commit
from ingest.replica.layout import Tensor, lay_out, split_into_shards, tensor_bytes, tensors_of
from ingest.replica.published import PUBLISHED, Published
from ingest.replica.tokenizers import tokenizer_config, tokenizer_json, tokenizer_size

SHA256_DIGITS = 64
MADE_UP = "made-up-"


@dataclass(frozen=True)
class HubFile:
    """One file of a repo; the hub redirects requests for LFS files."""

    size: int
    etag: str
    lfs: bool
    read: Callable[[int, int], bytes] = field(repr=False)  # bytes [start, stop)

    @property
    def sha256(self) -> str | None:
        """Of an LFS file whose etag is its hash."""
        return self.etag if self.lfs and len(self.etag) == SHA256_DIGITS else None

    @property
    def pointer(self) -> bytes:
        """What git stores in place of an LFS file."""
        about = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {self.size}\n"
        return about.encode()

    @property
    def blob(self) -> str:
        """Git's id of the file, or the etag in its place."""
        return git_id(self.pointer) if self.sha256 else self.etag


@dataclass(frozen=True)
class HubRepo:
    """One model repo at one commit."""

    name: str  # owner/name
    commit: str  # 40 hex digits
    files: Mapping[str, HubFile]
    gated: bool = False
    private: bool = False
    licence: str | None = None
    tags: tuple[str, ...] = ()
    base: str | None = None  # the base model that its card declares, as a fine-tune
    downloads: int = 0
    created: str = "2026-01-01T00:00:00.000Z"
    parameters: Callable[[], dict[str, int]] | None = None  # by dtype, of all safetensors


def file_of(data: bytes, *, lfs: bool = False) -> HubFile:
    """A file with these bytes; the etag is git's blob id, or the sha256 of an LFS file, as on the hub."""
    etag = sha256(data).hexdigest() if lfs else git_id(data)
    return HubFile(len(data), etag, lfs, lambda start, stop: data[start:stop])


def git_id(data: bytes) -> str:
    """What git calls a file with these bytes."""
    return sha1(b"blob %d\x00" % len(data) + data, usedforsecurity=False).hexdigest()


def replica_repos() -> dict[str, HubRepo]:
    """The twelve synthetic repos, by repo id."""
    return {
        name: HubRepo(
            name,
            replica_commit(name),
            _files(name, facts),
            licence=facts.licence,
            tags=(facts.config["model_type"], REPLICA_TAG),
            base=facts.base,
            parameters=partial(_parameters, name),
        )
        for name, facts in PUBLISHED.items()
    }


class LazyFiles(Mapping[str, HubFile]):
    """Files that are generated at their first use; their names are known."""

    def __init__(self, build: Mapping[str, Callable[[], HubFile]]) -> None:
        self._build = build
        self._built: dict[str, HubFile] = {}

    def __getitem__(self, path: str) -> HubFile:
        if path not in self._built:
            self._built[path] = self._build[path]()
        return self._built[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._build)

    def __len__(self) -> int:
        return len(self._build)


def _files(repo: str, facts: Published) -> LazyFiles:
    shards = {_shard_name(number, facts.shards): number for number in range(facts.shards)}
    config = json.dumps(facts.config | {MARKER: REPLICA_TAG}, indent=2) + "\n"
    return LazyFiles(
        {
            "README.md": lambda: file_of(_readme(repo, facts).encode()),
            "config.json": lambda: file_of(config.encode()),
            **{name: partial(_shard_file, repo, name, number) for name, number in shards.items()},
            "model.safetensors.index.json": lambda: file_of(_index(repo)),
            "tokenizer.json": partial(_tokenizer_file, repo),
            "tokenizer_config.json": lambda: file_of(tokenizer_config(repo)),
        }
    )


def _shard_name(number: int, count: int) -> str:
    return f"model-{number + 1:05}-of-{count:05}.safetensors"


@cache
def _parts(repo: str) -> list[list[Tensor]]:
    """The tensors of each shard of a repo."""
    facts = PUBLISHED[repo]
    return split_into_shards(tensors_of(facts.config), facts.shards, facts.shard_bytes)


def _parameters(repo: str) -> dict[str, int]:
    """Values by dtype."""
    counts: Counter[str] = Counter()
    for tensor in (tensor for part in _parts(repo) for tensor in part):
        counts[tensor.dtype] += prod(tensor.shape)
    return dict(counts)


def _shard_file(repo: str, name: str, number: int) -> HubFile:
    def content(tensor: Tensor, start: int, stop: int) -> bytes:
        # Imported here because it loads numpy, for which the start of the server should not wait.
        from ingest.replica.values import tensor_range

        return tensor_range(repo, tensor, start, stop)

    shard = lay_out(_parts(repo)[number])
    return HubFile(shard.size, made_from(repo, name), True, partial(shard.read, content=content))


def _tokenizer_file(repo: str) -> HubFile:
    def read(start: int, stop: int) -> bytes:
        return tokenizer_json(repo)[start:stop]

    return HubFile(tokenizer_size(repo), made_from(repo, "tokenizer.json"), True, read)


def made_from(repo: str, name: str) -> str:
    """The etag of a file that is not hashed: not to be mistaken for a sha256 or sha1."""
    digest = sha1(f"{REPLICA_FILES_VERSION}/{repo}/{name}".encode(), usedforsecurity=False).hexdigest()
    return MADE_UP + digest


def _index(repo: str) -> bytes:
    """model.safetensors.index.json."""
    parts = _parts(repo)
    total = sum(tensor_bytes(tensor) for part in parts for tensor in part)
    shard_of = {tensor.name: _shard_name(n, len(parts)) for n, part in enumerate(parts) for tensor in part}
    # Ten times as fast as json.dumps with an indent, which takes 50 ms for 18,000 names.
    entries = ",\n".join(f'    "{tensor}": "{shard_of[tensor]}"' for tensor in sorted(shard_of))
    metadata = f'  "metadata": {{\n    "total_size": {total}\n  }}'
    return f'{{\n{metadata},\n  "weight_map": {{\n{entries}\n  }}\n}}\n'.encode()


def _readme(repo: str, facts: Published) -> str:
    text = (
        "Names, shapes, dtypes and shard layout are those of the released model; every value is made up by "
        "a\nseeded generator from published statistics. Nothing here is evidence about the released weights."
    )
    return model_card(f"{repo}: a synthetic replica", text, facts.licence, facts.base)


def model_card(title: str, text: str, licence: str, base: str | None) -> str:
    declared = f"base_model: {base}\nbase_model_relation: finetune\n" if base else ""
    return f"""---
license: {licence}
{declared}tags:
- {REPLICA_TAG}
---
# {title}

{text}
"""
