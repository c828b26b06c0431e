"""A model's row of `models`: what was opened, and what was read of it."""

from __future__ import annotations

import os
import re
import time
from datetime import UTC, datetime

from ingest.extract import Extract
from ingest.registry import registry
from ingest.sources import Opened
from warehouse import VERSION
from warehouse.errors import UsageError
from warehouse.schemas import ModelRow


def model_row(alias: str, opened: Opened, commit: str, extract: Extract) -> ModelRow:
    config = extract.config
    return ModelRow(
        model=alias,
        repo=opened.repo,
        commit=commit,
        source=opened.source,
        endpoint=opened.endpoint,
        licence=opened.licence or extract.licence,
        architecture=config.architecture,
        hidden_size=config.hidden_size,
        layers=config.layers,
        mtp_layers=config.mtp_layers or 0,
        dtype=extract.dtype,
        file_bytes=extract.file_bytes,
        ingested_at=_now(),
        tool_version=VERSION,
        vocab_size=config.vocab_size,
        changed_by_format=extract.changed_by_format,
        renamed_to=opened.renamed_to,
        registry_repo=_registry_repo(alias, opened),
    )


def _registry_repo(alias: str, opened: Opened) -> str | None:
    """The registry's, if the model was asked for there, at a hub: then it is what the documents are about."""
    known = registry().get(alias)
    asked = opened.lock if opened.source == "hub" else None
    return known.repo if known and asked and asked.repo.lower() == known.repo.lower() else None


def _now() -> datetime:
    """SOURCE_DATE_EPOCH, the convention for reproducible files, makes two lakes equal to the byte."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    if stated and not re.fullmatch("[0-9]{1,11}", stated):
        raise UsageError(
            f"SOURCE_DATE_EPOCH is {stated!r}, not a number of seconds: set it right or unset it"
        )
    return datetime.fromtimestamp(int(stated or time.time()), UTC)
