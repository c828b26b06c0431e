"""How the norms of one model resemble each other, and whether its dimensions can be exchanged; by numpy.

Products of norms two by two become correlations; their sums dimension by dimension become sketches. SQL can
do both, but would copy a vector for every pair and make a row of every value, half the cost of building
features. Ranks are whole or half numbers and detrended ranks are whole numbers, so sums of their products are
exact in double precision in any order: correlations are identical to the byte on every machine.

The null distribution of the lineage test is that of one joint permutation of the dimensions. It fails where
dimensions have a fixed order (a table of sinusoidal positions) or repeat (padding, cloned width), and its
normal tail fails where a few dimensions hold most of the ranks. All three are measured once per model.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt
import pyarrow as pa

OF_A_KIND = [("model", pa.string()), ("kind", pa.string())]
PRODUCTS = pa.schema(
    [
        *OF_A_KIND,
        *(("norm_a", pa.int32()), ("norm_b", pa.int32())),
        *(("product", pa.float64()), ("square_a", pa.float64()), ("square_b", pa.float64())),
    ]
)
SUMS = pa.schema(
    [
        *OF_A_KIND,
        *(("sum_number", pa.int32()), ("dim", pa.int32())),
        ("total", pa.float64()),
    ]
)

# How many multiples of a lag are added up.
MULTIPLES = 8
# Periods that detrending does not remove.
PERIODS = range(3, 9)

# Below that there are too few lags.
LEAST_WIDTH = 16

STRUCTURE = pa.schema(
    [
        *OF_A_KIND,
        *((name, pa.float64()) for name in ("position_z", "period_z", "echo_z")),
        *((name, pa.float64()) for name in ("leverage", "leverage_over_layers")),
        *((name, pa.float64()) for name in ("repeated_share", "repeated_share_over_layers")),
        ("repeated_dims", pa.int32()),
    ]
)

Array = npt.NDArray[np.float64]


def norm_products(norms: pa.Table) -> pa.Table:
    """One row per model, kind and two of its norms, by number, the second never after the first.

    `norms` has model, kind and vector, ordered by the number of the norm within a model and kind; all vectors
    of a kind have one length.
    """
    tables = [_products(*key, vectors) for key, vectors, _ in norms_by_kind(norms)]
    return pa.concat_tables(tables) if tables else PRODUCTS.empty_table()


def norm_sums(norms: pa.Table) -> pa.Table:
    """One row per model, kind, sum and dimension: of the norms at length 1 that belong to it.

    `norms` is as above, with sum_number.
    """
    numbers = norms["sum_number"].to_numpy()
    tables = [
        _sums(*key, number, vectors[chosen == number])
        for key, vectors, rows in norms_by_kind(norms)
        for chosen in [numbers[rows]]
        for number in np.unique(chosen)
    ]
    return pa.concat_tables(tables) if tables else SUMS.empty_table()


def norms_by_kind(norms: pa.Table) -> Iterator[tuple[tuple[str, str], np.ndarray, list[int]]]:
    """Model and kind, their vectors as the rows of a matrix, and which rows of the table those are."""
    keys = zip(norms["model"].to_pylist(), norms["kind"].to_pylist(), strict=True)
    lists = norms["vector"].combine_chunks()
    values, ends = lists.flatten().to_numpy(), np.cumsum(lists.value_lengths().to_numpy())
    for key, numbered in groupby(enumerate(keys), key=itemgetter(1)):
        rows = [row for row, _ in numbered]
        begin = ends[rows[0] - 1] if rows[0] else 0
        yield key, values[begin : ends[rows[-1]]].reshape(len(rows), -1).astype(np.float64), rows


def _products(model: str, kind: str, vectors: np.ndarray) -> pa.Table:
    """Centred on the means of the vectors, which are 0 for ranks."""
    sums = vectors.sum(axis=1)
    products = vectors @ vectors.T - np.outer(sums, sums) / vectors.shape[1]
    squares = products.diagonal()
    a, b = np.tril_indices(len(vectors))
    return _table(PRODUCTS, model, kind, a, b, products[a, b], squares[a], squares[b])


def _sums(model: str, kind: str, number: int, vectors: np.ndarray) -> pa.Table:
    shares = vectors / np.sqrt((vectors**2).sum(axis=1))[:, None]
    dims = np.arange(vectors.shape[1])
    return _table(SUMS, model, kind, np.full(len(dims), number), dims, shares.sum(0))


def _table(schema: pa.Schema, model: str, kind: str, *columns: np.ndarray) -> pa.Table:
    names = [pa.repeat(pa.scalar(text), len(columns[0])) for text in (model, kind)]
    kinds = schema.types[len(names) :]
    return pa.table(
        [*names, *(pa.array(column).cast(kind) for column, kind in zip(columns, kinds, strict=True))],
        schema=schema,
    )


def norm_structure(norms: pa.Table) -> pa.Table:
    """One row per model and kind of `norms`, which has model, kind, ln_type and vector.

    position_z            z-score of what detrending removes: autocorrelation that is smooth over dimensions,
                          or over every second one; NULL where it is undefined
    period_z              z-score of periods of 3 to 8 dimensions, which it does not remove
    echo_z                largest z-score of a single lag that stands out from its neighbours
    leverage              the largest share of the squared ranks that one dimension has
    leverage_over_layers  the same of the sums over layers
    repeated_share        the share of the squared ranks in dimensions that have the values of another one in
                          every norm; repeated_share_over_layers likewise
    repeated_dims         how many these are
    """
    types = norms["ln_type"].to_numpy(zero_copy_only=False)
    rows = []
    for (model, kind), vectors, indices in norms_by_kind(norms):
        unit = _unit(vectors)
        repeated = _repeated(vectors)
        squares = unit**2
        summed = _unit(np.stack([unit[types[indices] == name].sum(0) for name in np.unique(types[indices])]))
        z = autocorrelation_z(unit)
        rows.append(
            {
                "model": model,
                "kind": kind,
                "position_z": None if z is None else max(z[1], z[len(z) // 2], _smooth(z, 1), _smooth(z, 2)),
                "period_z": None if z is None else max(_periodic(z, period) for period in PERIODS),
                "echo_z": None if z is None else _echo(z),
                "leverage": squares.sum(0).max() / len(unit),
                "leverage_over_layers": (summed**2).sum(0).max() / len(summed),
                "repeated_share": squares[:, repeated].sum() / len(unit),
                "repeated_share_over_layers": (summed[:, repeated] ** 2).sum() / len(summed),
                "repeated_dims": int(repeated.sum()),
            }
        )
    # rounded, because numpy adds in different orders on different machines
    rounded = [{k: round(float(v), 9) if isinstance(v, float) else v for k, v in row.items()} for row in rows]
    return pa.Table.from_pylist(rounded, STRUCTURE)


def autocorrelation_z(unit: Array) -> Array | None:
    """For every lag the z-score of the norms' correlation with themselves, shifted cyclically.

    Under one joint permutation of the d dimensions the sum of those correlations has mean -K/(d-1) and
    variance S/(d-1), twice that for half the width; S is the sum of the squares off the diagonal of Σ x·xᵀ
    over the K norms x of length 1. None if that is 0.
    """
    count, d = unit.shape
    spread = ((unit @ unit.T) ** 2).sum() - ((unit**2).sum(0) ** 2).sum()
    if d < LEAST_WIDTH or spread < 1e-9:
        return None
    sums = np.fft.irfft((np.abs(np.fft.rfft(unit, axis=1)) ** 2).sum(0), n=d)
    z = (sums + count / (d - 1)) / np.sqrt(spread / (d - 1))
    if d % 2 == 0:
        z[d // 2] /= np.sqrt(2)
    return np.asarray(z)


def _smooth(z: Array, stride: int) -> float:
    """The z-score of the first multiples of a lag together."""
    lags = [n * stride for n in range(1, MULTIPLES + 1) if n * stride <= len(z) // 4]
    return float(z[lags].sum() / np.sqrt(len(lags))) if lags else 0.0


def _periodic(z: Array, period: int) -> float:
    """The z-score of the multiples of a lag, less that of their neighbours, which removes smooth trends.

    Neighbours of an even lag are two away: sine and cosine may alternate.
    """
    step = 1 if period % 2 else 2
    lags = np.array([n * period for n in range(1, MULTIPLES + 1) if n * period + step < len(z) // 2])
    if len(lags) < 2:
        return 0.0
    beyond = z[lags] - (z[lags - step] + z[lags + step]) / 2
    return float(beyond.sum() / np.sqrt(1.5 * len(lags)))


def _echo(z: Array) -> float:
    """The largest z-score of a single lag, less that of its neighbours two away."""
    d = len(z)
    lags = np.arange(1, d // 2 + 1)
    around = np.stack([z[np.abs(lags - 2)], z[(lags + 2) % d]])
    # lag 0 is the correlation of a norm with itself
    around[0] = np.where(lags == 2, around[1], around[0])
    return float(((z[lags] - around.mean(0)) / np.sqrt(1.5)).max())


def _repeated(vectors: Array) -> npt.NDArray[np.bool_]:
    """Which dimensions have the ranks of another one in every norm."""
    columns = np.ascontiguousarray(vectors.T)
    _, which, counts = np.unique(
        columns.view(f"V{columns.shape[1] * columns.itemsize}").ravel(),
        return_inverse=True,
        return_counts=True,
    )
    return np.asarray(counts[which] > 1)


def _unit(vectors: Array) -> Array:
    lengths = np.sqrt((vectors**2).sum(1, keepdims=True))
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1))
