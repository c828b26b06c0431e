"""Models that wait for each other are packed together; whoever waits learns of a failure."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from ingest import packing
from ingest.packing import Packer
from tests.sql.lakes import model_row, random_model, tensor_row
from warehouse.pack import Packed, pack
from warehouse.schemas import ModelRow, Vector
from warehouse.unpack import Unpacked

NAMES = ("a", "b", "c", "d")


def norms(seed: int) -> list[Vector]:
    return [Vector(tensor_row(*key, values), values) for key, values in random_model(seed).items()]


def test_those_that_come_meanwhile_are_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[list[str]] = []

    def counted(vectors: Sequence[Unpacked], models: Sequence[ModelRow]) -> Packed:
        batches.append([row.model for row in models])
        return pack(vectors, models)

    monkeypatch.setattr(packing, "pack", counted)

    async def ingest() -> list[Packed]:
        packer = Packer()
        return await asyncio.gather(
            *(packer.pack(model_row(name, "local"), norms(seed)) for seed, name in enumerate(NAMES))
        )

    found = asyncio.run(ingest())
    assert sorted(name for batch in batches for name in batch) == list(NAMES)
    assert len(batches) < len(NAMES)
    for name, packed in zip(NAMES, found, strict=True):
        assert packed.vectors["model"].to_pylist().count(name) == 9


def test_a_failure_reaches_everybody_who_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> Packed:
        raise ValueError("no such vectors")

    monkeypatch.setattr(packing, "pack", fails)

    async def ingest() -> list[Packed | BaseException]:
        packer = Packer()
        waiting = (packer.pack(model_row(name, "local"), norms(1)) for name in NAMES)
        return await asyncio.gather(*waiting, return_exceptions=True)

    assert [str(one) for one in asyncio.run(ingest())] == ["no such vectors"] * 4
