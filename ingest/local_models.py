"""Finds the models in a folder or file on this disk, and their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ingest.extract_gguf import ENDING, gguf_models, has_safetensors, nothing_complete
from ingest.local_files import folder_files, is_folder, open_regular
from ingest.model_files import no_model
from ingest.registry import registry
from warehouse.errors import NormhouseError, SourceError, UsageError, did_you_mean
from warehouse.paths import check_name


@dataclass(frozen=True)
class LocalModel:
    """One model: a folder, and which of its files belong to it (None: all)."""

    name: str
    folder: Path
    files: Sequence[str] | None = None
    # why it cannot be read
    problem: NormhouseError | None = None


SOURCES = ("auto", "hub", "replica")


def path_of(source: str, names: Sequence[str]) -> Path:
    try:
        path = Path(source).expanduser()
        is_there = path.exists()
    except (OSError, RuntimeError) as error:  # too long, not allowed, or an unknown home
        why = error.strerror if isinstance(error, OSError) else str(error).rstrip(".")
        raise UsageError(f"{source!r} cannot be looked at ({why}): give an existing folder or file") from None
    if not is_there:
        if source.startswith((".", "/", "~")) or path.suffix in (".gguf", ".safetensors"):
            raise UsageError(f"no folder or file {source!r}: give an existing one")
        known = source in registry() or "/" in source
        hint = f"for a model of the hub say `just ingest hub {source}`"
        if not known:
            hint = did_you_mean(source, (*SOURCES, *registry()), "give an existing folder")
        raise UsageError(f"{source!r} is not auto, hub, replica, a folder or a file: {hint}")
    if names:
        raise UsageError(
            f"a folder or file needs no model names ({' '.join(names)}): its alias is its name, or --alias"
        )
    return path


def local_models(path: Path, alias: str | None, say: Callable[[str], None]) -> dict[str, LocalModel]:
    """By alias: the model of a GGUF file, or all models of a folder and the folders in it."""
    if is_folder(path):
        path = path.resolve()
        found = _in_folder(path, say)
    else:
        with open_regular(path):
            pass
        # not resolved itself: in the Hugging Face cache it is a link to a file without a name
        found = [_of_file(path.parent.resolve() / path.name)]
    if not found:
        reason = nothing_complete(folder_files(path))
        raise UsageError(f"{path} {reason}; give the folder of a model, or a {ENDING} file")
    if alias is not None and len(found) > 1:
        raise UsageError(f"--alias {alias} is for one model, but {path} has {len(found)}: leave it out")
    if len(found) == 1:
        return {check_name("alias", found[0].name if alias is None else alias): found[0]}
    return _named_apart(found)


def _in_folder(path: Path, say: Callable[[str], None]) -> list[LocalModel]:
    """A folder with safetensors is one model; any other may hold GGUF files and folders of models."""
    names = folder_files(path)
    inside = list(_inside(path))
    if not has_safetensors(names):
        return [*_gguf_models(path, names, is_alone=not inside), *inside]
    ignored = [name for name in names if name.endswith(ENDING)]
    ignored += [f"{model.folder.name}/" for model in inside if not model.problem]
    if ignored:
        say(
            f"reading the safetensors model of {path}; not reading {', '.join(dict.fromkeys(ignored))}: "
            f"give their own paths to ingest them too"
        )
    return [LocalModel(path.name, path)]


def _named_apart(found: Sequence[LocalModel]) -> dict[str, LocalModel]:
    """Models by name. One without a valid name is listed by its path, and only that one fails."""
    named: dict[str, LocalModel] = {}
    for model in found:
        try:
            if model.problem:
                raise model.problem
            name = check_name("alias", model.name)
            if name in named:
                raise UsageError(
                    f"two models have the name {name}: ingest each by its own path and --alias NAME"
                )
            named[name] = model
        except NormhouseError as problem:
            named[f"{model.folder}/{model.name}"] = replace(model, problem=problem)
    return named


def _of_file(path: Path) -> LocalModel:
    if path.suffix != ENDING:
        raise UsageError(
            f"{path} is not a {ENDING} file: give the folder of a model ({no_model([path.name])})"
        )
    for model in gguf_models(folder_files(path.parent)):
        if path.name in model.files:
            return LocalModel(model.name, path.parent, model.files)
    return LocalModel(path.stem, path.parent, [path.name])


def _inside(path: Path) -> Iterator[LocalModel]:
    """The models of the folders in a folder. A folder that cannot be read fails alone."""
    for folder in sorted(entry for entry in path.iterdir() if is_folder(entry)):
        try:
            names = folder_files(folder)
        except SourceError as problem:
            yield LocalModel(folder.name, folder, problem=problem)
            continue
        if has_safetensors(names):
            yield LocalModel(folder.name, folder)
        else:
            yield from _gguf_models(folder, names, is_alone=True)


def _gguf_models(folder: Path, names: Sequence[str], *, is_alone: bool) -> list[LocalModel]:
    """One model is named after its folder if it is alone there, else each after its file."""
    models: defaultdict[str, list[str]] = defaultdict(list)
    for model in gguf_models(names):
        models[model.base].extend(model.files)
    is_alone = is_alone and len(models) == 1
    return [LocalModel(folder.name if is_alone else base, folder, files) for base, files in models.items()]
