"""safetensors."""

from __future__ import annotations

from pathlib import Path

from safetensors import SafetensorError, safe_open

from ingest.formats.tensor_names import may_be_norm
from ingest.packaged.readers import Norms
from warehouse.errors import FormatError


def read_norms(path: Path) -> Norms:
    try:
        with safe_open(path, "np") as file:
            return {name: file.get_tensor(name) for name in file.keys() if may_be_norm(name)}  # noqa: SIM118
    except SafetensorError as error:
        raise FormatError(
            f"{path} is no safetensors file that can be read ({error}): install it anew"
        ) from None
