"""Lakes of version 0.1.0 had folders named `model=solar`; they become `solar` when the lake is opened.

Each rename is whole by itself, and an interrupted run is finished by the next one.
"""

from __future__ import annotations

from warehouse.errors import LakeError
from warehouse.lake import Lake

_HIVE = "model="


def has_hive_names(lake: Lake) -> bool:
    """By one table that every lake has; it is renamed last."""
    return any(True for _ in lake.path.glob(f"models/{_HIVE}*"))


def drop_hive_names(lake: Lake) -> None:
    """Call while holding the lake's write lock."""
    if not has_hive_names(lake):
        return
    folders = sorted(lake.path.glob(f"*/{_HIVE}*"), key=lambda path: path.parent.name == "models")
    try:
        for folder in folders:
            folder.rename(folder.with_name(folder.name.removeprefix(_HIVE)))
    except OSError as error:
        raise LakeError(
            f"cannot rename the folders of {lake.path}, an older lake ({error.strerror}): check its rights"
        ) from error
