"""Small servers on loopback for what the replica hub does not do: TLS, proxies, and slow answers."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import repeat
from threading import Event, Thread

import trustme

Talk = Callable[[socket.socket, Event], None]
"""What to do with a connection; the event says that the test is over."""


@contextmanager
def listening(talk: Talk) -> Iterator[int]:
    """The port of a server that handles each connection with `talk`, in its own thread."""
    over = Event()
    threads: list[Thread] = []

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(20)
            talk(connection, over)

    def accept() -> None:
        while not over.is_set():
            with suppress(TimeoutError):
                threads.append(Thread(target=serve, args=(listener.accept()[0],)))
                threads[-1].start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        accepting = Thread(target=accept)
        accepting.start()
        try:
            yield listener.getsockname()[1]
        finally:
            over.set()
            accepting.join()
            for thread in threads:
                thread.join()


def relay(one: socket.socket, other: socket.socket, over: Event) -> None:
    """Relays in both directions until one of them or the test ends."""

    def pump(source: socket.socket, target: socket.socket) -> None:
        source.settimeout(0.05)
        while not over.is_set():
            try:
                data = source.recv(65_536)
            except TimeoutError:
                continue
            except OSError:
                data = b""
            if not data:
                break
            with suppress(OSError):
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    back = Thread(target=pump, args=(other, one))
    back.start()
    pump(one, other)
    back.join()


@contextmanager
def tls_before(port: int, authority: trustme.CA, name: str = "localhost") -> Iterator[str]:
    """The address of a TLS server with a certificate for this name, which forwards to a plain port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)

    def talk(connection: socket.socket, over: Event) -> None:
        with (
            context.wrap_socket(connection, server_side=True) as secure,
            socket.create_connection(("127.0.0.1", port)) as plain,
        ):
            relay(secure, plain, over)

    with listening(talk) as own:
        yield f"https://localhost:{own}"


@contextmanager
def tunnelling_proxy(refusal: bytes = b"") -> Iterator[tuple[str, list[bytes]]]:
    """The address of a CONNECT proxy, and the heads of its requests."""
    asked: list[bytes] = []

    def talk(connection: socket.socket, over: Event) -> None:
        head = read_head(connection)
        asked.append(head)
        if refusal:
            connection.sendall(refusal)
            return
        host, _, port = head.split()[1].decode().rpartition(":")
        assert host == "localhost"
        with socket.create_connection(("127.0.0.1", int(port))) as onward:
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            relay(connection, onward, over)

    with listening(talk) as port:
        yield f"127.0.0.1:{port}", asked


def read_head(connection: socket.socket) -> bytes:
    """The head of a request; empty if the client sends none."""
    head = b""
    while b"\r\n\r\n" not in head:
        if not (data := connection.recv(65_536)):
            return b""
        head += data
    return head


def answer_of(port: int, head: bytes) -> bytes:
    """The answer of the server at this port; then the connection is closed."""
    closing = b"\r\nConnection: close\r\n"
    with socket.create_connection(("127.0.0.1", port)) as onward:
        onward.sendall(head.replace(b"\r\n", closing, 1))
        return b"".join(iter(lambda: onward.recv(65_536), b"")).replace(b"\r\n", closing, 1)


@contextmanager
def below_a_path(port: int, path: str, *, is_told: bool) -> Iterator[str]:
    """The address of a reverse proxy below a path, which it removes from what it forwards.

    Optionally it adds the path to redirects, as a correctly configured proxy does.
    """

    def talk(connection: socket.socket, _over: Event) -> None:
        head = read_head(connection)
        if f" {path}/".encode() in head:
            answer = answer_of(port, head.replace(f" {path}/".encode(), b" /", 1))
            if is_told:
                answer = answer.replace(b"Location: /", f"Location: {path}/".encode())
            connection.sendall(answer)
        elif head:
            connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with listening(talk) as own:
        yield f"http://127.0.0.1:{own}{path}"


@contextmanager
def trickling(port: int, part: bytes, begin: bytes, pause: float = 0.02) -> Iterator[str]:
    """A server in front of another: answers about addresses with `part` come byte by byte from `begin` on.

    If the answer does not contain `begin`, it is repeated endlessly instead.
    """

    def talk(connection: socket.socket, over: Event) -> None:
        head = read_head(connection)
        answer = answer_of(port, head) if head else b""
        if part not in head.partition(b"\r\n")[0]:
            connection.sendall(answer)
            return
        at = answer.find(begin)
        connection.sendall(answer[: max(at, 0)])
        pieces = repeat(begin) if at < 0 else (bytes([byte]) for byte in answer[at:])
        for piece in pieces:
            if over.wait(pause):
                return
            connection.sendall(piece)

    with listening(talk) as own:
        yield f"http://127.0.0.1:{own}"
