"""What the models of one run share: the lake, the next commit, and the builder of features."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.concurrency import in_thread
from warehouse.console.progress import Progress
from warehouse.features.build import ModelFeatures, build_features
from warehouse.features.vectors import BATCH_VALUES, Unpacked, unpacked_norms
from warehouse.lake import Lake
from warehouse.rows import ModelRow, Vector
from warehouse.storage.batches import Batch


@dataclass(frozen=True)
class _Waiting:
    row: ModelRow
    vectors: Sequence[Unpacked]
    features: asyncio.Future[ModelFeatures]

    @property
    def values(self) -> int:
        return sum(len(vector.values) for vector in self.vectors)


class FeatureBuilder:
    """Builds the features of all models that wait in one query, because planning takes longer than a model.

    At most BATCH_VALUES at a time, but at least one model.
    """

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []
        self._building = asyncio.Lock()

    async def build(self, row: ModelRow, norms: Sequence[Vector]) -> ModelFeatures:
        """The features of this model, and maybe of others."""
        mine = _Waiting(row, unpacked_norms(row.model, norms), asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        await asyncio.sleep(0)  # so that models that are ready now join this batch
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
            features = await in_thread(build_features, vectors, [one.row for one in batch])
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


@dataclass(frozen=True)
class SharedRun:
    lake: Lake
    progress: Progress
    batch: Batch
    features: FeatureBuilder
    # of the lake's models, those of this run included
    sources: set[str]
    # held while files of the next commit are written
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
