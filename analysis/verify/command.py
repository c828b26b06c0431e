"""`just verify MODEL`: does a model's declared base fit its weights?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from analysis.lakes import announce
from analysis.rows import about_lake, json_text, show_json
from analysis.verify.answers import bom_of, lines_of, object_of, sarif_of
from analysis.verify.blend import Blend, compare_blend
from analysis.verify.declared import (
    NOT_IN_NORMS,
    declared_bases,
    is_path,
    repo_of,
    stated_bases,
    stored_base,
    stored_model,
)
from analysis.verify.reading import Unreadable, ingest, missing_bases, read_from_disk, side_by_side
from analysis.verify.verification import EXIT_CODES, Verification, unreadable, verify
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import remark, show
from warehouse.errors import LakeError, UsageError, did_you_mean
from warehouse.lake import Lake, existing_lake, lake_at
from warehouse.rows import ModelRow

HUB_LAKE = "hub"
MADE_UP = {"replica", "toy"}
# A merge has a handful of bases. Somebody's list of 300 must not become 300 downloads.
MOST_READ = 10


def main(options: argparse.Namespace) -> int:
    about: Mapping[str, Any] | None = None
    blend: Blend | None = None
    try:
        found, about, blend = _verified(options)
    except Unreadable as error:
        found = unreadable(options.model, str(error))
    described = object_of(found, about, blend)
    for path, document in ((options.sarif, sarif_of), (options.bom, bom_of)):
        if path is not None:
            _write(path, json_text(document(found, described), indent=2))
    if options.json:
        show_json(described)
    else:
        show(*lines_of(found, about["caution"] if about else None, blend))
    return EXIT_CODES[found.status]


def _verified(options: argparse.Namespace) -> tuple[Verification, Mapping[str, Any], Blend | None]:
    bases = stated_bases(options.base) if options.base else None
    with (
        _opened(options.model, options.lake, options.base, slices=options.slices) as (lake, model, missing),
        open_catalog(lake) as connection,
    ):
        stored = stored_model(connection, model)
        assert stored is not None
        found = verify(connection, stored, bases, missing)
        tested = [base.stored.model for base in found.bases if base.stored and base.row]
        blend = compare_blend(connection, stored.model, tested[0], tested[1]) if tested[1:] else None
        return found, about_lake(connection), blend


@contextmanager
def _opened(
    name: str, lake_name: str | None, bases: Sequence[str], *, slices: bool
) -> Iterator[tuple[Lake, str, dict[str, str]]]:
    """The lake to ask, the model's name there, and why bases are missing from it."""
    if is_path(name) or Path(name).exists():
        if not Path(name).exists():
            raise UsageError(
                f"{name} does not exist: name a folder or a .gguf file, or a model as owner/name"
            )
        with read_from_disk(Path(name), slices=slices) as (own, model):
            searched = lake_name or _lake_for(own, model, bases)
            missing = _read_bases(own, model, searched, bases, slices=slices)
            lake = _lake(searched)
            if lake is None:
                remark(f"no lake {searched} yet: no other models to compare with")
            else:
                _announce(lake)
                if not slices and lake.has(model) and _is_same(lake.model(model), own.model(model)):
                    yield lake, model, missing
                    return
            with side_by_side(lake, own, model) as joined:
                yield joined, model, missing
        return
    lake = _lake(lake_name)
    if lake is None or slices or not _has(lake, name):
        repo = repo_of(name)
        if repo is None:
            known = lake.model_names() if lake else []
            raise UsageError(
                f"no model {name!r} in the lake ({did_you_mean(name, known)}), and no owner/name"
            )
        if lake_name is None:
            lake_name = lake.name if lake and lake.is_ours and "hub" in _sources(lake) else HUB_LAKE
            lake = _lake(lake_name)
        # bases that are known already are read in the same process: starting another takes a second
        known_bases = {base: found for base in bases if (found := repo_of(base))}
        if lake is not None and not slices:
            known_bases = _absent(lake, known_bases)
        repos = dict.fromkeys([repo, *[*known_bases.values()][:MOST_READ]])
        errors = ingest(["hub", *repos, "--lake", lake_name, *(["--slices"] if slices else [])])
        lake, name = _lake(lake_name), repo
        if lake is None or not _has(lake, repo):
            raise Unreadable(missing_bases(errors, {name: repo})[name] if errors else "nothing was read")
    missing = _read_bases(lake, name, lake_name or lake.name, bases, slices=slices)
    _announce(lake)
    yield lake, name, missing


def _lake_for(own: Lake, model: str, bases: Sequence[str]) -> str:
    """Which lake a model of the disk is compared with unless one is named: the default one, if it can serve.

    It cannot if its weights are made up and the model's are not, or if it lacks every base and cannot take
    models of a hub.
    """
    lake = _lake(None)
    if lake is None or lake.name == HUB_LAKE:
        return HUB_LAKE
    sources = _sources(lake)
    if sources & MADE_UP and not {own.model(model).source} & MADE_UP:
        remark(
            f"lake {lake.name} has synthetic or toy weights: using lake {HUB_LAKE} (or name one with --lake)"
        )
        return HUB_LAKE
    with open_catalog(own) as connection:
        stored = stored_model(connection, model)
        assert stored is not None
        declared = stated_bases(bases) if bases else declared_bases(connection, stored)
    with open_catalog(lake) as connection:
        has_one = any(stored_base(connection, one) for one in declared)
    if "hub" in sources or has_one or not any(one.repo for one in declared):
        return lake.name
    remark(f"lake {lake.name} has no declared base and takes no models of a hub: using lake {HUB_LAKE}")
    return HUB_LAKE


def _sources(lake: Lake) -> set[str]:
    return {source for (source,) in lake.columns("source")}


def _is_same(stored: ModelRow, read: ModelRow) -> bool:
    return (stored.commit, stored.declared_bases) == (read.commit, read.declared_bases)


def _announce(lake: Lake) -> None:
    with open_catalog(lake) as connection:
        announce(connection, lake, caution=False)


def _lake(name: str | None) -> Lake | None:
    try:
        return existing_lake(name)
    except LakeError:
        if name is not None and "/" not in name:
            lake_at(name)  # refuses a name that cannot be one
            return None
        return None


def _has(lake: Lake, name: str) -> bool:
    with open_catalog(lake) as connection:
        return stored_model(connection, name) is not None


def _absent(lake: Lake, named: Mapping[str, str]) -> dict[str, str]:
    with open_catalog(lake) as connection:
        return {base: repo for base, repo in named.items() if stored_model(connection, repo) is None}


def _read_bases(
    own: Lake, name: str, lake_name: str, bases: Sequence[str], *, slices: bool
) -> dict[str, str]:
    """Read the declared bases that the lake lacks; why some could not be read, by their declared names.

    No request is made for models that are there.
    """
    with open_catalog(own) as connection:
        model = stored_model(connection, name)
        if model is None:
            return {}
        declared = stated_bases(bases) if bases else declared_bases(connection, model)
    named = {
        one.base: one.repo
        for one in declared
        if one.repo is not None
        and one.repo.lower() != model.repo.lower()
        and (one.relation or "").lower() not in NOT_IN_NORMS
    }
    lake = _lake(lake_name)
    if lake is not None and not lake.is_ours:
        return dict.fromkeys(named, "it is not in this lake, which is only read")
    wanted = named if slices or lake is None else _absent(lake, named)
    if len(wanted) > MOST_READ:
        remark(f"{len(wanted)} declared bases are not in the lake: the first {MOST_READ} are read")
        wanted = dict([*wanted.items()][:MOST_READ])
    if not wanted:
        return {}
    errors = ingest(["hub", *wanted.values(), "--lake", lake_name, *(["--slices"] if slices else [])])
    return missing_bases(errors, wanted) if errors else {}


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text + "\n", "utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path} ({error.strerror}): choose another file") from error
    remark(f"wrote {path}")
