"""Packs models together that wait for each other: planning the queries takes longer than a small model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from warehouse.features.build import ModelFeatures, build_features
from warehouse.features.vectors import BATCH_VALUES, Unpacked, unpacked_norms
from warehouse.rows import ModelRow, Vector


def pack_all(models: Sequence[tuple[ModelRow, Sequence[Vector]]]) -> list[ModelFeatures]:
    """The rows of each of these models, in their order, and maybe of others; BATCH_VALUES at a time."""
    packed: list[ModelFeatures] = []
    while len(packed) < len(models):
        rows: list[ModelRow] = []
        vectors: list[Unpacked] = []
        values = 0
        for row, norms in models[len(packed) :]:
            values += sum(len(norm.values) for norm in norms)
            if rows and values > BATCH_VALUES:
                break
            rows.append(row)
            vectors += unpacked_norms(row.model, norms)
        packed += [build_features(vectors, rows)] * len(rows)
    return packed


@dataclass(frozen=True)
class _Waiting:
    row: ModelRow
    vectors: Sequence[Unpacked]
    packed: asyncio.Future[ModelFeatures]

    @property
    def values(self) -> int:
        return sum(len(vector.values) for vector in self.vectors)


class Packer:
    """Whoever comes first packs for all that came meanwhile, up to BATCH_VALUES and at least one."""

    def __init__(self) -> None:
        self.one_writer = asyncio.Lock()
        """For what is done with the rows."""
        self._waiting: list[_Waiting] = []
        self._one_at_a_time = asyncio.Lock()

    async def pack(self, row: ModelRow, norms: Sequence[Vector]) -> ModelFeatures:
        """The rows of this model, and maybe of others."""
        mine = _Waiting(row, unpacked_norms(row.model, norms), asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        async with self._one_at_a_time:
            while not mine.packed.done():
                await self._pack_next()
        return await mine.packed

    async def _pack_next(self) -> None:
        batch = [self._waiting.pop(0)]
        values = batch[0].values
        while self._waiting and values + self._waiting[0].values <= BATCH_VALUES:
            batch.append(self._waiting.pop(0))
            values += batch[-1].values
        vectors = [vector for one in batch for vector in one.vectors]
        try:
            packed = await asyncio.to_thread(build_features, vectors, [one.row for one in batch])
        except asyncio.CancelledError:
            for one in batch:
                one.packed.cancel()
            raise
        except Exception as error:
            for one in batch:
                one.packed.set_exception(error)
            return
        for one in batch:
            one.packed.set_result(packed)
