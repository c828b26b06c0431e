"""Runs coroutines concurrently, and blocking work in threads that finish even if their task is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


async def in_thread(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Like `asyncio.to_thread`, but a cancelled task waits for its thread, which may be writing a file."""
    task = asyncio.create_task(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


@asynccontextmanager
async def repeating(work: Callable[[], Awaitable[None]], seconds: float) -> AsyncIterator[None]:
    """Repeats some work every few seconds while the block runs; work that has begun is never cancelled."""
    done = asyncio.Event()

    async def repeat() -> None:
        while not done.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await done.wait()
            await work()

    task = asyncio.create_task(repeat())
    try:
        yield
    finally:
        done.set()
        await task


async def together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Runs these concurrently and returns their results in order. The first failure cancels the rest."""
    with first_failure():
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in work]
    return [task.result() for task in tasks]


@contextmanager
def first_failure() -> Iterator[None]:
    """Raises the first exception of a task group instead of the group."""
    try:
        yield
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
