"""What all models of one ingest share: the lake, the next commit, the builder of features."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from ingest.features import FeatureBuilder
from warehouse.console.progress import Progress
from warehouse.lake import Lake
from warehouse.storage.batches import Batch


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
