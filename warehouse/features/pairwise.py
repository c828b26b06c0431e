"""Products of a model's norms two by two, and their sums dimension by dimension, in numpy.

The products become correlations; the sums become sketches and position_z. SQL can do both, but would copy a
vector for every pair and make a row of every value, half the cost of building features. Ranks are whole or
half numbers and detrended ranks are whole numbers, so sums of their products are exact in double precision
in any order: correlations are identical to the byte on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter

import numpy as np
import pyarrow as pa
from threadpoolctl import ThreadpoolController

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


def norm_products(norms: pa.Table) -> pa.Table:
    """One row per model, kind and two of its norms, by number, the second never after the first.

    `norms` has model, kind and vector, ordered by the number of the norm within a model and kind; all vectors
    of a kind have one length.
    """
    with _blas().limit(limits=1, user_api="blas"):
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


@cache
def _blas() -> ThreadpoolController:
    """Looking for numpy's takes some milliseconds."""
    return ThreadpoolController()


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
    """About the means of the vectors, which of ranks are 0."""
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
