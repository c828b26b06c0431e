"""The replica hub on two loopback ports: HTTP/1.1 with keep-alive over plain asyncio.

It shares its cores with the client it serves, so a request costs one read, one dictionary of headers
and, for a small body, one write.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote

from ingest.replica.faults import Fault, sabotage
from ingest.replica.hub import COUNTERS, respond
from ingest.replica.messages import Answer, Request
from ingest.replica.site import Site

LOOPBACK = "127.0.0.1"
CHUNK = 256 * 1024  # bytes of body made up and written at a time
LOG_LENGTH = 50_000  # requests remembered

_STATUS_LINE = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n" for status in HTTPStatus}


@dataclass
class Logged:
    """One request and what came of it."""

    request: Request
    status: int
    sent: int = 0  # bytes of body


@dataclass
class Server:
    """A site being served; `faults` may be changed while it runs."""

    site: Site
    faults: list[Fault] = field(default_factory=list)
    delay: float = 0.0  # seconds added to every answer
    log: deque[Logged] = field(default_factory=lambda: deque(maxlen=LOG_LENGTH))
    _listening: Sequence[asyncio.Server] = ()
    _open: dict[asyncio.Task[None], asyncio.StreamWriter] = field(default_factory=dict)
    _stopped: bool = False

    async def start(self, port: int = 0) -> None:
        """Listen: the hub on `port` (0: any), the CDN on any free port."""
        hub = await asyncio.start_server(partial(self._connection, "hub"), LOOPBACK, port)
        cdn = await asyncio.start_server(partial(self._connection, "cdn"), LOOPBACK, 0)
        self._listening = (hub, cdn)
        self.site.endpoint, self.site.cdn = (
            f"http://{LOOPBACK}:{server.sockets[0].getsockname()[1]}" for server in self._listening
        )

    async def stop(self) -> None:
        """Stop listening and drop what is still open; the loop must have nothing else to do for long.

        asyncio takes some turns to hand over a connection that it has accepted, and loses it, open, when the
        server is closed meanwhile (CPython issue 109564). So it is handed over first; `_connection` ends it.
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
        self._open[task] = writer
        try:
            while not self._stopped and (request := await read_request(port, reader)):
                if not await self._answer(request, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away
        except asyncio.CancelledError:
            pass  # the server stops
        finally:
            writer.close()
            # Until it is gone, `stop` must know of it: what the client does not read would keep it open.
            # By then `stop` has aborted it, and asyncio reports a task that ends cancelled as a failure.
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()
            del self._open[task]

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Send one answer; False when the connection must end."""
        answer = sabotage(self.faults, request, respond(self.site, request))
        if self.delay or answer.wait:
            await asyncio.sleep(self.delay + answer.wait)
        end = 0 if request.method == "HEAD" else answer.size
        if answer.cut_after is not None:
            end = min(end, answer.cut_after)
        # Logged before the client can see the answer, so that a test never looks too early.
        logged = self._remember(request, answer)
        piece = _head(answer)
        while True:
            begin, until = logged.sent, min(logged.sent + CHUNK, end)
            self.site.counters[f"{request.port}_bytes"] += until - begin
            logged.sent = until
            writer.write(piece + answer.read(begin, until) if until else piece)
            if until >= end:
                break
            await writer.drain()
            piece = b""
        await writer.drain()
        return answer.cut_after is None and request.headers.get("connection", "").lower() != "close"

    def _remember(self, request: Request, answer: Answer) -> Logged:
        logged = Logged(request, answer.status)
        if request.path == COUNTERS:
            return logged
        self.site.counters[f"{request.port}_requests"] += 1
        self.log.append(logged)
        return logged


async def read_request(port: str, reader: asyncio.StreamReader) -> Request | None:
    """The next request of a connection; None when the client has no more, or does not talk HTTP."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return None
    start, *lines = raw[:-4].decode("latin-1").split("\r\n")
    if start.count(" ") != 2:
        return None
    method, target, _version = start.split(" ")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    path, _, query = target.partition("?")
    length = headers.get("content-length", "0")
    body = await reader.readexactly(int(length)) if length.isdigit() else b""
    return Request(port, method, target, unquote(path), dict(parse_qsl(query)), headers, body)


def _head(answer: Answer) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
    return f"{_STATUS_LINE[answer.status]}{lines}Content-Length: {answer.size}\r\n\r\n".encode("latin-1")
