"""Features of waiting models are built in one batch; a failure is reported to all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from ingest import shared_run
from ingest.shared_run import FeatureBuilder
from tests.sql.lakes import INPUT, model_row, random_model, tensor_row, tiny_models
from warehouse.features.build import ModelFeatures, build_features
from warehouse.features.vectors import Unpacked
from warehouse.rows import ModelRow, Vector
from warehouse.tables import DERIVED

NAMES = ("a", "b", "c", "d")


def norms(seed: int) -> list[Vector]:
    return [Vector(tensor_row(*key, values), values) for key, values in random_model(seed).items()]


def built(models: Sequence[tuple[ModelRow, Sequence[Vector]]]) -> list[ModelFeatures]:
    async def build() -> list[ModelFeatures]:
        builder = FeatureBuilder()
        return await asyncio.gather(*(builder.build(*model) for model in models))

    return asyncio.run(build())


@pytest.mark.slow
def test_those_that_come_meanwhile_are_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[list[str]] = []

    def counted(vectors: Sequence[Unpacked], models: Sequence[ModelRow]) -> ModelFeatures:
        batches.append([row.model for row in models])
        return build_features(vectors, models)

    monkeypatch.setattr(shared_run, "build_features", counted)

    found = built([(model_row(name, "local"), norms(seed)) for seed, name in enumerate(NAMES)])
    assert batches == [list(NAMES)]
    for name, packed in zip(NAMES, found, strict=True):
        assert packed["vectors"]["model"].to_pylist().count(name) == 9


@pytest.mark.slow
def test_rows_are_the_same_whether_packed_together_or_singly() -> None:
    """To 1e-12, for models of different widths and depths, with biases, constants, NaN and infinities."""
    made = {**tiny_models(), "wide": random_model(3, width=256), "deep": random_model(4, layers=9)}
    made["biased"] = {
        key: values
        for (layer, kind), weights in random_model(5).items()
        for key, values in {(layer, kind): weights, (layer, f"{kind}_bias"): weights[::-1]}.items()
    }
    made["broken"] = {**random_model(6), (0, INPUT): np.full(64, np.nan, np.float32)}
    models = [
        (
            replace(model_row(name, "local"), hidden_size=len(next(iter(vectors.values())))),
            [Vector(tensor_row(*key, values), values) for key, values in vectors.items()],
        )
        for name, vectors in made.items()
    ]
    together = built(models)
    assert len({id(packed) for packed in together}) == 1
    for (row, vectors), packed in zip(models, together, strict=True):
        [alone] = built([(row, vectors)])
        for table in DERIVED:
            found = packed[table]
            assert_same(found.filter(pc.equal(found["model"], row.model)), alone[table])


def assert_same(found: pa.Table, expected: pa.Table) -> None:
    """Compares numbers to 1e-12, everything else exactly."""
    assert found.schema == expected.schema
    for name in expected.column_names:
        kind, one, other = expected.schema.field(name).type, found[name], expected[name]
        if pa.types.is_list(kind):
            assert pc.list_value_length(one).equals(pc.list_value_length(other))
            kind, one, other = kind.value_type, pc.list_flatten(one), pc.list_flatten(other)
        if pa.types.is_floating(kind):
            assert one.is_valid().equals(other.is_valid())
            np.testing.assert_allclose(one.to_numpy(), other.to_numpy(), rtol=1e-12, atol=1e-12)
        else:
            assert one.to_pylist() == other.to_pylist()


def test_a_failure_reaches_everybody_who_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> ModelFeatures:
        raise ValueError("no such vectors")

    monkeypatch.setattr(shared_run, "build_features", fails)

    async def ingest() -> list[ModelFeatures | BaseException]:
        builder = FeatureBuilder()
        waiting = (builder.build(model_row(name, "local"), norms(1)) for name in NAMES)
        return await asyncio.gather(*waiting, return_exceptions=True)

    assert [str(one) for one in asyncio.run(ingest())] == ["no such vectors"] * 4
