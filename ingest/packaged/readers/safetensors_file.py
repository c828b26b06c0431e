"""safetensors."""

from __future__ import annotations

from pathlib import Path

from safetensors import safe_open

from ingest.formats.tensor_names import may_be_norm
from ingest.packaged.readers import Norms


def read_norms(path: Path) -> Norms:
    with safe_open(path, "np") as file:
        return {name: file.get_tensor(name) for name in file.keys() if may_be_norm(name)}  # noqa: SIM118
