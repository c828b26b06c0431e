"""A model's files that count what is asked of them."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.files import ModelFiles


class CountedFiles:
    """As the files themselves; redirects and repeated tries are the session's to count."""

    def __init__(self, files: ModelFiles) -> None:
        self._files = files
        self.requests = 0
        self.bytes = 0

    @property
    def where(self) -> str:
        return self._files.where

    @property
    def names(self) -> Sequence[str]:
        return self._files.names

    def size(self, name: str) -> int | None:
        return self._files.size(name)

    async def whole(self, name: str) -> bytes:
        return self._count(await self._files.whole(name))

    async def front(self, name: str, length: int) -> tuple[bytes, int]:
        body, size = await self._files.front(name, length)
        return self._count(body), size

    async def range(self, name: str, start: int, stop: int) -> bytes:
        return self._count(await self._files.range(name, start, stop))

    def check_unchanged(self) -> None:
        self._files.check_unchanged()

    def _count(self, body: bytes) -> bytes:
        self.requests += 1
        self.bytes += len(body)
        return body
