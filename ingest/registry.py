"""Resolves names on the command line: aliases of the registry or any repo, optionally with `@revision`.

`commits.lock.json` has the commit of each `repo@revision` that was read, so that figures can be computed
again. It is beside the data folder, not in it, so it survives a deleted lake and may be committed. A hub and
its mirrors share the entries. The replica has none: its commits follow from the version of its generator.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from filelock import FileLock

from warehouse.errors import FormatError, UsageError, did_you_mean
from warehouse.lake import write_text_atomically
from warehouse.paths import check_name, data_root

# `gpt2` and a few other repos have no owner
REPO = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9_.-]{0,95}/)?[A-Za-z0-9][A-Za-z0-9_.-]{0,95}")
REVISION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*")


@dataclass(frozen=True)
class Model:
    """A model to ingest: its name here, its repo and revision."""

    alias: str
    repo: str
    revision: str = "main"


@cache
def registry() -> dict[str, Model]:
    """The registered models by alias, in the file's order."""
    text = Path(__file__).with_name("registry.toml").read_text("utf-8")
    # an unknown field is an error
    return {alias: Model(alias, **entry) for alias, entry in tomllib.loads(text).items()}


def named_models(names: Sequence[str], alias: str | None = None) -> list[Model]:
    """The models that the command line names; without names, all of the registry."""
    models = [_named(name) for name in names] if names else list(registry().values())
    if alias is not None:
        if len(models) != 1:
            raise UsageError(
                f"--alias {alias} needs exactly one model, not {len(models)}: name the one it is for"
            )
        models = [Model(check_name("alias", alias), models[0].repo, models[0].revision)]
    _refuse_clashes(models)
    return models


def _named(name: str) -> Model:
    base, _, revision = name.partition("@")
    revision = revision or "main"
    if not REVISION.fullmatch(revision) or ".." in revision:
        raise UsageError(
            f"revision {revision!r} of {base} cannot be used: give a branch, a tag or a 40-digit commit"
        )
    if base in registry():
        return Model(base, registry()[base].repo, revision)
    if not is_repo(base):
        raise UsageError(
            f"no model {base!r}: {did_you_mean(base, registry())}, or give owner/name as on the hub"
        )
    known = {model.repo.lower(): model.alias for model in registry().values()}
    return Model(known.get(base.lower()) or derived_alias(base), base, revision)


def is_repo(name: str) -> bool:
    return REPO.fullmatch(name) is not None and ".." not in name


def derived_alias(repo: str) -> str:
    """`Qwen/Qwen2.5-0.5B` becomes `qwen2_5_0_5b`: usable in SQL without quotes."""
    alias = re.sub(r"[^a-z0-9]+", "_", repo.split("/")[-1].lower()).strip("_")
    return alias if alias[:1].isalpha() else f"m_{alias}"


def _refuse_clashes(models: Sequence[Model]) -> None:
    seen: dict[str, Model] = {}
    for model in models:
        other = seen.setdefault(model.alias, model)
        registered = registry().get(model.alias)
        clash = other if other != model else registered
        if clash and clash.repo.lower() != model.repo.lower():
            meant_alias = "" if "/" in model.repo else f"; or did you mean {model.alias}?"
            raise UsageError(
                f"alias {model.alias!r} would mean both {clash.repo} and {model.repo}: "
                f"ingest {model.repo} alone with --alias NAME{meant_alias}"
            )
        if other is not model:
            raise UsageError(f"{model.repo} is named twice: name it once")


LOCK_FILE = "commits.lock.json"


def locked_commits() -> dict[str, str]:
    path = data_root().parent / LOCK_FILE
    if not path.exists():
        return {}
    try:
        commits = json.loads(path.read_text("utf-8"))
        valid = all(re.fullmatch("[0-9a-f]{40}", commit) for commit in commits.values())
    except (ValueError, AttributeError, TypeError):
        valid = False
    if not valid:
        raise FormatError(f"{path} does not map repos to 40-digit commits: restore or delete it")
    return dict(commits)


def locked_commit(model: Model) -> str | None:
    return locked_commits().get(_key(model))


def lock_commit(model: Model, commit: str) -> None:
    """Records the commit, under a lock, because other ingests may write other entries."""
    with FileLock(data_root() / ".work" / f"{LOCK_FILE}.lock"):
        commits = {**locked_commits(), _key(model): commit}
        text = json.dumps(commits, indent=2, sort_keys=True) + "\n"
        write_text_atomically(data_root().parent / LOCK_FILE, text)


def _key(model: Model) -> str:
    return f"{model.repo}@{model.revision}"
