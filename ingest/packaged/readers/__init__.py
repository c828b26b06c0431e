"""Norm vectors out of model files, by names that `tensor_names.py` knows: one reader a format."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

Norms: TypeAlias = dict[str, npt.NDArray[np.floating[Any]]]
"""Vectors by tensor name, in the dtype of the file."""


def read_norms(path: Path, file_format: str) -> Norms:
    """`<format>_file.py` has a `read_norms`; what it needs is imported only here."""
    module = import_module(f"{__name__}.{file_format}_file")
    return cast("Callable[[Path], Norms]", module.read_norms)(path)
