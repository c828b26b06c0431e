"""HTTP/1.1 server of the replica hub on two loopback ports, with keep-alive, over plain asyncio.

Answering must be cheap, because the server shares its cores with the client that it serves. The number of
connections, their buffers and the time of each are bounded; an error on one connection ends only that one.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any

from ingest.replica.api import respond
from ingest.replica.messages import (
    MOST_HEAD_BYTES,
    Answer,
    Refused,
    Request,
    Timeouts,
    error,
    read_request,
    text,
)
from ingest.replica.repos import replica_repos
from ingest.replica.running import COUNTERS
from ingest.replica.site import Quota, Site
from warehouse.console.exhausted import exhausted, files_left
from warehouse.errors import plain

LOOPBACK = "127.0.0.1"
CHUNK = 256 * 1024  # bytes of body generated and written at a time
MOST_CONNECTIONS = 512  # of both ports together
ACCEPTED_AT_ONCE = 4
QUEUE = 128  # connections waiting to be accepted, per port
FILES_KEPT_FREE = 32  # file descriptors that connections may not use (`ulimit -n`)
# How long, and how much, we go on reading after a refusal, so that the client sees it before a reset.
LAST_SECONDS = 1.0
LAST_BYTES = 4_000_000

_STATUS_LINE = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n" for status in HTTPStatus}


@dataclass
class Served:
    """One request and how it was answered."""

    request: Request
    status: int
    sent: int = 0  # bytes of body


@dataclass
class Server:
    """A site being served."""

    site: Site
    delay: float = 0.0  # seconds added to every answer
    say: Callable[[str], None] = lambda _line: None  # called with a line for each refusal
    timeouts: Timeouts = field(default_factory=Timeouts)
    most_connections: int = MOST_CONNECTIONS
    _listening: Sequence[asyncio.Server] = ()
    _open: dict[asyncio.Task[None], asyncio.StreamWriter] = field(default_factory=dict)
    # idle connections, the longest idle first
    _waiting: dict[asyncio.Task[None], asyncio.StreamWriter] = field(default_factory=dict)
    _stopped: bool = False

    async def start(self, port: int = 0) -> None:
        """Listen: the hub on `port` (0: any), the CDN on any free port."""
        self.most_connections = int(max(1, min(self.most_connections, files_left() - FILES_KEPT_FREE)))
        hub, cdn = await self._listen("hub", port), await self._listen("cdn", 0)
        self._listening = (hub, cdn)
        self.site.endpoint, self.site.cdn = (
            f"http://{LOOPBACK}:{server.sockets[0].getsockname()[1]}" for server in self._listening
        )

    async def _listen(self, name: str, port: int) -> asyncio.Server:
        listener = socket.create_server((LOOPBACK, port))
        # asyncio accepts as many as its `backlog` before any of them is counted
        server = await asyncio.start_server(
            partial(self._connection, name), sock=listener, limit=MOST_HEAD_BYTES, backlog=ACCEPTED_AT_ONCE
        )
        listener.listen(QUEUE)
        return server

    async def stop(self) -> None:
        """Stop listening and close every connection; all other tasks of the loop must end soon.

        A connection that asyncio accepted but has not yet handed over would stay open if the server were
        closed meanwhile (CPython issue 109564), so we wait until `_connection` has had it.
        """
        self._stopped = True
        loop = asyncio.get_running_loop()
        for server in self._listening:
            for listener in server.sockets:
                loop.remove_reader(listener.fileno())
        for task, writer in list(self._open.items()):
            writer.transport.abort()
            task.cancel()
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)
        for server in self._listening:
            server.close()

    async def _connection(
        self, port: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._make_room()
        self._open[task] = writer
        try:
            while not self._stopped and (request := await self._request(task, port, reader, writer)):
                if not await self._answer(request, writer):
                    break
        except Refused as refused:
            await self._refuse(refused, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away
        except TimeoutError:
            self._say(writer, f"closed: it took no more of an answer for {self.timeouts.write:g} s")
            writer.transport.abort()
        except asyncio.CancelledError:
            pass  # the server stops
        finally:
            await self._close(writer)
            del self._open[task]

    def _make_room(self) -> None:
        """Close the longest idle connection, or else the oldest, if there are too many."""
        if len(self._open) < self.most_connections:
            return
        among = self._waiting or self._open
        task, writer = next(iter(among.items()))
        self._waiting.pop(task, None)
        self._say(writer, f"closed: there are more than {self.most_connections} connections")
        writer.transport.abort()

    async def _request(
        self, task: asyncio.Task[None], port: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> Request | None:
        self._waiting[task] = writer
        try:
            return await read_request(port, reader, self.timeouts)
        finally:
            self._waiting.pop(task, None)

    async def _refuse(
        self, refused: Refused, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._say(writer, f"refused with {refused.status}: {refused}")
        answer = text(refused.status, str(refused), {"Connection": "close"})
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(LAST_SECONDS):
                writer.write(_head(answer) + answer.read(0, answer.size))
                writer.write_eof()
                left = LAST_BYTES
                while left > 0 and (piece := await reader.read(CHUNK)):
                    left -= len(piece)

    async def _close(self, writer: asyncio.StreamWriter) -> None:
        """Wait until it is closed: `stop` must know of connections whose client does not read."""
        writer.close()
        # asyncio reports a cancelled task as a failure, but here `stop` has aborted the connection.
        with suppress(ConnectionError, asyncio.CancelledError):
            try:
                async with asyncio.timeout(self.timeouts.write):
                    await writer.wait_closed()
            except TimeoutError:
                writer.transport.abort()

    def _say(self, writer: asyncio.StreamWriter, what: str) -> None:
        host, port = (writer.get_extra_info("peername") or ("?", "?"))[:2]
        self.say(plain(f"{host}:{port}: {what}"))

    def respond(self, request: Request) -> Answer:
        return respond(self.site, request)

    def remember(self, served: Served) -> None:
        """Count a request; called before the client can see the answer."""
        self.site.counters[f"{served.request.port}_requests"] += 1

    def _answer_to(self, request: Request, writer: asyncio.StreamWriter) -> Answer:
        try:
            return self.respond(request)
        except Exception as failure:  # a bug; other answers are not affected
            self._say(
                writer,
                f"answered {request.method} {request.target[:200]} with 500: {type(failure).__name__}: "
                f"{failure}; this is a bug of normhouse, please report it with this line",
            )
            return error(500, None, "Internal error of the replica hub", {"Connection": "close"})

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Send one answer; False when the connection must end."""
        answer = self._answer_to(request, writer)
        if self.delay or answer.wait:
            await asyncio.sleep(self.delay + answer.wait)
        end = 0 if request.method == "HEAD" else answer.size
        if answer.cut_after is not None:
            end = min(end, answer.cut_after)
        served = Served(request, answer.status)
        if request.path != COUNTERS:
            self.remember(served)
        piece = _head(answer)
        while True:
            begin, until = served.sent, min(served.sent + CHUNK, end)
            self.site.counters[f"{request.port}_bytes"] += until - begin
            served.sent = until
            writer.write(piece + answer.read(begin, until) if until else piece)
            async with asyncio.timeout(self.timeouts.write):
                await writer.drain()
            if until >= end:
                break
            piece = b""
        is_last = "close" in (answer.headers.get("Connection"), request.headers.get("connection", "").lower())
        return answer.cut_after is None and not is_last


def _head(answer: Answer) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
    return f"{_STATUS_LINE[answer.status]}{lines}Content-Length: {answer.size}\r\n\r\n".encode("latin-1")


SHOWN_REPOS = 20


async def serve_until_ended(
    port: int, *, delay: float, redirect: bool, until_stdin_closes: bool, population: int, quota: bool
) -> None:
    """Serve the twelve repos and `population` made-up ones until Ctrl-C or the end of stdin."""
    repos = replica_repos()
    if population:
        from ingest.replica.population import population as made_up

        repos |= made_up(population)
    site = Site(repos, redirect=redirect, quota=Quota(enforced=quota))
    server = Server(site, delay=delay, say=_report)
    asyncio.get_running_loop().set_exception_handler(_report_loop_error)
    await server.start(port)
    ended = asyncio.Event()
    if until_stdin_closes:
        loop = asyncio.get_running_loop()
        threading.Thread(
            target=_wait_for_end_of_stdin, args=(lambda: loop.call_soon_threadsafe(ended.set),), daemon=True
        ).start()
        print(json.dumps({"endpoint": site.endpoint, "cdn": site.cdn}), flush=True)
    else:
        _print_welcome(site)
    # Load numpy, which the first shard needs, while the client starts.
    warm_up = asyncio.to_thread(importlib.import_module, "ingest.replica.values")
    try:
        await asyncio.gather(warm_up, ended.wait())
    finally:
        await server.stop()


def _report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _report_loop_error(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report an error of the event loop, such as too many open files, in one line."""
    failure = context.get("exception")
    _report(plain(f"{context['message']}: {exhausted(failure) if failure else ''}".rstrip(": ")))


def _wait_for_end_of_stdin(then: Callable[[], object]) -> None:
    # Not sys.stdin, whose lock this thread would hold while the interpreter ends.
    while os.read(0, 4096):
        pass
    then()


def _print_welcome(site: Site) -> None:
    say = f"""The replica hub is at {site.endpoint} (shards come from {site.cdn}); Ctrl-C ends it.
The models are synthetic: real names and shapes, made-up values, no evidence about the released weights.
Point any Hugging Face client at it with  HF_ENDPOINT={site.endpoint}
Repos:
"""
    shown = list(site.repos)[:SHOWN_REPOS]
    further = [f"and {len(site.repos) - len(shown):,} more"] if len(site.repos) > len(shown) else []
    print(say + "\n".join(f"  {line}" for line in shown + further), file=sys.stderr)
