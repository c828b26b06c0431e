"""Computes the features of several models in one query, because planning takes longer than a small model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from warehouse.features.build import ModelFeatures, build_features
from warehouse.features.vectors import BATCH_VALUES, Unpacked, unpacked_norms
from warehouse.rows import ModelRow, Vector


def build_all(models: Sequence[tuple[ModelRow, Sequence[Vector]]]) -> list[ModelFeatures]:
    """The features of each of these models, in their order, and maybe of others; BATCH_VALUES at a time."""
    built: list[ModelFeatures] = []
    while len(built) < len(models):
        rows: list[ModelRow] = []
        vectors: list[Unpacked] = []
        values = 0
        for row, norms in models[len(built) :]:
            values += sum(len(norm.values) for norm in norms)
            if rows and values > BATCH_VALUES:
                break
            rows.append(row)
            vectors += unpacked_norms(row.model, norms)
        built += [build_features(vectors, rows)] * len(rows)
    return built


@dataclass(frozen=True)
class _Waiting:
    row: ModelRow
    vectors: Sequence[Unpacked]
    features: asyncio.Future[ModelFeatures]

    @property
    def values(self) -> int:
        return sum(len(vector.values) for vector in self.vectors)


class FeatureBuilder:
    """One task at a time builds for all that wait, up to BATCH_VALUES and at least one model."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []
        self._building = asyncio.Lock()

    async def build(self, row: ModelRow, norms: Sequence[Vector]) -> ModelFeatures:
        """The features of this model, and maybe of others."""
        mine = _Waiting(row, unpacked_norms(row.model, norms), asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        async with self._building:
            while not mine.features.done():
                await self._build_next()
        return await mine.features

    async def _build_next(self) -> None:
        batch = [self._waiting.pop(0)]
        values = batch[0].values
        while self._waiting and values + self._waiting[0].values <= BATCH_VALUES:
            batch.append(self._waiting.pop(0))
            values += batch[-1].values
        vectors = [vector for one in batch for vector in one.vectors]
        try:
            features = await asyncio.to_thread(build_features, vectors, [one.row for one in batch])
        except asyncio.CancelledError:
            for one in batch:
                one.features.cancel()
            raise
        except Exception as error:
            for one in batch:
                one.features.set_exception(error)
            return
        for one in batch:
            one.features.set_result(features)
