"""Chooses the rows of each matrix and the byte ranges to read.

Of gate and up we read the first rows, as many as the budget allows, so that two models of one shape give the
same neurons. To find reordered neurons, all rows of one model and a quarter of another's are enough, and less
than half of both is not; in stored order a few hundred rows are enough. Of the embedding we read the rows of
anchors that the tokenizer has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from ingest.formats.dtypes import BITS, DECODABLE
from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import MatrixName
from warehouse.rows import NO_LAYER, SliceMatrix

PIECE_BYTES = 4_000_000
# No model is so wide, and hundreds of such rows would not fit into memory.
MOST_ROW_BYTES = 1_000_000
# Two models share nearly all of these, and 512 are compared.
MOST_ANCHORS = 640
# Limit of requests for the rows of anchors.
MOST_RUNS = 400
# Smaller gaps between two anchors are read too: at 30 ms per request, cheaper on lines above 9 Mbit/s …
CHEAP_GAP_BYTES = 32_000
# … and if there are still too many requests, the narrowest of the wider gaps, up to this much.
SPARE_BYTES = 3_000_000


@dataclass(frozen=True)
class Cut:
    """The rows to read of one matrix, or of one half of a fused one."""

    matrix: SliceMatrix
    layer: int
    expert: str | None
    shard: str
    tensor: Tensor
    # all rows of the matrix, and its first row in the tensor
    tensor_rows: int
    first_row: int
    rows: Sequence[int]
    # neurons are columns, as in GPT-2: the whole tensor is read and transposed
    is_transposed: bool = False
    anchors: Sequence[str] | None = None

    @property
    def columns(self) -> int:
        return self.tensor.shape[0] if self.is_transposed else self.tensor.shape[1]

    @property
    def row_bytes(self) -> int:
        return self.tensor.shape[1] * BITS[self.tensor.dtype] // 8

    @property
    def bytes(self) -> int:
        """Bytes of the rows; of a transposed matrix, of all rows."""
        return self.tensor.end - self.tensor.begin if self.is_transposed else len(self.rows) * self.row_bytes


def refusal(tensor: Tensor, width: int | None) -> str | None:
    """Why rows of this matrix cannot be read, or None."""
    if tensor.dtype not in DECODABLE:
        return f"{tensor.name} is stored as {tensor.dtype}, which has no defined float values"
    if len(tensor.shape) != 2 or 0 in tensor.shape:
        return f"{tensor.name} is not a matrix"
    if tensor.shape[1] * BITS[tensor.dtype] // 8 > MOST_ROW_BYTES:
        return f"{tensor.name} has rows of {tensor.shape[1]:,} values"
    if width is not None and width not in tensor.shape:
        return f"{tensor.name} is not {width} wide"
    return None


def cut_matrices(
    found: Sequence[tuple[MatrixName, str, Tensor]], budget: int, width: int | None
) -> tuple[list[Cut], list[str]]:
    """Cuts of gate and up with equal shares of the budget, and what was left out."""
    cuts = [cut for one in found for cut in _halves(*one, width)]
    share = budget // max(len(cuts), 1)
    left_out = [
        f"{cut.tensor.name} has its neurons in columns and would need {cut.bytes / 1e6:,.1f} MB whole"
        for cut in cuts
        if cut.is_transposed and cut.bytes > share
    ]
    fitting = [
        cut if cut.is_transposed else replace(cut, rows=cut.rows[: max(share // cut.row_bytes, 1)])
        for cut in cuts
        if not (cut.is_transposed and cut.bytes > share)
    ]
    return sorted(fitting, key=lambda cut: (cut.matrix, cut.layer, int_or_last(cut.expert))), left_out


def _halves(name: MatrixName, shard: str, tensor: Tensor, width: int | None) -> list[Cut]:
    """A cut with all rows of a matrix, or one for each half of a fused matrix."""
    if name.role == "embedding":
        return []
    is_transposed = width is not None and tensor.shape[1] != width
    matrices: tuple[SliceMatrix, ...] = ("gate", "up") if name.role == "gate_up" else (name.role,)
    rows = tensor.shape[1 if is_transposed else 0] // len(matrices)
    return [
        Cut(matrix, name.layer, name.expert, shard, tensor, rows, half * rows, range(rows), is_transposed)
        for half, matrix in enumerate(matrices)
    ]


def int_or_last(expert: str | None) -> int:
    return int(expert) if expert is not None and expert.isdecimal() else 10_000


def cut_embedding(shard: str, tensor: Tensor, ids: Mapping[str, int]) -> Cut:
    """The rows of the first anchors, as many as the requests allow, in file order."""
    chosen = dict(islice(_distinct(ids).items(), MOST_ANCHORS))
    while True:
        ordered = sorted(chosen, key=lambda anchor: chosen[anchor])
        rows = [chosen[anchor] for anchor in ordered]
        cut = Cut("embedding", NO_LAYER, None, shard, tensor, tensor.shape[0], 0, rows, anchors=ordered)
        if len(row_groups(cut)) <= MOST_RUNS:
            return cut
        chosen = dict(islice(chosen.items(), len(chosen) - 20))


def _distinct(ids: Mapping[str, int]) -> dict[str, int]:
    """Anchors with different ids; of those with one id the first."""
    by_id: dict[int, str] = {}
    for anchor, number in ids.items():
        by_id.setdefault(number, anchor)
    return {anchor: number for number, anchor in by_id.items()}


def row_groups(cut: Cut) -> list[Sequence[int]]:
    """Groups of rows that one request reads, with the rows between them."""
    if cut.is_transposed:
        return [cut.rows]
    if cut.anchors is None:
        step = max(PIECE_BYTES // cut.row_bytes, 1)
        return [cut.rows[at : at + step] for at in range(0, len(cut.rows), step)]
    bridged = _bridged([(after - row - 1) * cut.row_bytes for row, after in pairwise(cut.rows)])
    groups = [[row] for row in cut.rows[:1]]
    for number, row in enumerate(cut.rows[1:]):
        if number in bridged:
            groups[-1].append(row)
        else:
            groups.append([row])
    return list(groups)


def _bridged(gaps: Sequence[int]) -> set[int]:
    """Which gaps between rows, in bytes, to read: all cheap ones, then the narrowest if needed."""
    narrow_first = sorted(range(len(gaps)), key=lambda number: gaps[number])
    bridged = {number for number in narrow_first if gaps[number] <= CHEAP_GAP_BYTES}
    spare = SPARE_BYTES
    for number in narrow_first[len(bridged) : max(len(gaps) + 1 - MOST_RUNS, 0)]:
        spare -= gaps[number]
        if spare < 0:
            break
        bridged.add(number)
    return bridged


def byte_range(cut: Cut, rows: Sequence[int]) -> tuple[int, int]:
    """Begin and end of a group of rows in the file."""
    if cut.is_transposed:
        return cut.tensor.begin, cut.tensor.end
    first = cut.tensor.begin + (cut.first_row + rows[0]) * cut.row_bytes
    return first, first + (rows[-1] - rows[0] + 1) * cut.row_bytes
