"""The tiny lake and its catalog, as in tests/sql."""

from __future__ import annotations

from tests.sql.conftest import catalog, tiny

__all__ = ["catalog", "tiny"]
