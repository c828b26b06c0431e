"""Quantised tensors whose bytes are not their values: a scale stands beside them, and takes part."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import may_be_norm, projection
from warehouse.errors import FormatError


def is_scale(tensor: str) -> bool:
    """Whether it is what a quantised norm or projection is to be multiplied with, by its name beside it."""
    if "scale" not in tensor:  # first, as this is asked of 60,000 names
        return False
    module, _, last = tensor.rpartition(".")
    beside = f"{module}.weight"
    return "scale" in last and (may_be_norm(beside) or projection(beside) is not None)


def refuse_scaled(tensors: Iterable[Tensor], indexed: Iterable[str], where: str) -> None:
    """An F8 tensor beside a scale. Nobody quantises norms so, hence nothing here would multiply them."""
    found = list(tensors)
    quantised = {
        tensor.name for tensor in found if tensor.dtype.startswith("F8") and tensor.name.endswith(".weight")
    }
    if not quantised:
        return
    for scale in filter(is_scale, chain((tensor.name for tensor in found), indexed)):
        weight = f"{scale.rpartition('.')[0]}.weight"
        if weight in quantised:
            raise FormatError(
                f"{where}: {weight} is quantised to F8 and scaled by {scale}, so that its bytes are not its "
                f"values: take the model in BF16"
            )
