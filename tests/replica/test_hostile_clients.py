"""Hostile clients of the replica hub are refused with one line; others are served meanwhile."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.replica.messages import MOST_BODY_BYTES, MOST_HEAD_BYTES, Timeouts
from ingest.replica.running import PROJECT_ROOT
from ingest.replica.site import sign
from tests.hub import RunningHub, serve_in_thread
from tests.replica.talking import CONFIG, WEIGHTS, ask, small_repos, weights_at

PATHS_INFO = "/api/models/owner/small/paths-info/main"
CONFIG_PATH = "/owner/small/resolve/main/config.json"
HOST = "Host: 127.0.0.1"
JSON = "Content-Type: application/json"


class Said(list[str]):
    """The lines that the hub prints about clients."""


@pytest.fixture
def said() -> Said:
    return Said()


@pytest.fixture
def hub(said: Said) -> Iterator[RunningHub]:
    with serve_in_thread(small_repos(), redirect=False) as running:
        running.server.say = said.append
        yield running


@pytest.fixture
def hasty(hub: RunningHub) -> RunningHub:
    """The hub with short timeouts."""
    hub.server.timeouts = Timeouts(idle=0.5, head=0.2, body=0.2, write=0.5)
    return hub


@contextmanager
def connected(hub: RunningHub, *, receive_buffer: int = 0) -> Iterator[socket.socket]:
    with socket.socket() as connection:
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.settimeout(10)
        connection.connect(("127.0.0.1", int(hub.endpoint.rpartition(":")[2])))
        yield connection


def everything(connection: socket.socket) -> bytes:
    """Until the hub closes the connection."""
    found = b""
    with suppress(ConnectionError):
        while piece := connection.recv(65_536):
            found += piece
    return found


def sent(hub: RunningHub, raw: bytes) -> bytes:
    """Everything received until the hub closes the connection."""
    with connected(hub) as connection:
        with suppress(ConnectionError):
            connection.sendall(raw)
        return everything(connection)


def request(method: str, target: str, *headers: str, body: bytes = b"") -> bytes:
    return "\r\n".join([f"{method} {target} HTTP/1.1", *headers, "", ""]).encode("latin-1") + body


def status(answer: bytes) -> int:
    found = re.match(rb"HTTP/1\.1 ([0-9]{3}) ", answer)
    assert found, answer[:100]
    return int(found[1])


def assert_serves(hub: RunningHub) -> None:
    assert ask(f"{hub.endpoint}{CONFIG_PATH}").body == CONFIG


REFUSED = {
    "no method": (400, b"nonsense\r\n\r\n"),
    "no version": (400, b"GET /\r\n\r\n"),
    "HTTP/2": (400, b"PRI * HTTP/2.0\r\n\r\n"),
    "TLS": (400, b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"),
    "target not ASCII": (400, "GET /\u00fc HTTP/1.1\r\n\r\n".encode()),
    "header without colon": (400, request("GET", "/", HOST, "nonsense")),
    "header with a space": (400, request("GET", "/", HOST, "Content-Length : 0")),
    "folded header": (400, request("GET", "/", HOST, "X: a", "  b")),
    "NUL in a header": (400, request("GET", "/", HOST, "X: a\0b")),
    "two lengths": (
        400,
        request("POST", PATHS_INFO, HOST, "Content-Length: 2", "Content-Length: 3", body=b"{}"),
    ),
    "superscript length": (400, request("POST", PATHS_INFO, HOST, "Content-Length: \u00b2", body=b"{}")),
    "negative length": (400, request("POST", PATHS_INFO, HOST, "Content-Length: -1")),
    "length in words": (400, request("POST", PATHS_INFO, HOST, "Content-Length: two")),
    "length of 5,000 digits": (400, request("POST", PATHS_INFO, HOST, f"Content-Length: {'9' * 5_000}")),
    "length of a terabyte": (413, request("POST", PATHS_INFO, HOST, f"Content-Length: {10**12}", body=b"{}")),
    "chunked": (
        411,
        request("POST", PATHS_INFO, HOST, "Transfer-Encoding: chunked", body=b"2\r\n{}\r\n0\r\n\r\n"),
    ),
    "long target": (414, request("GET", "/" + "x" * 9_000, HOST)),
    "long header": (431, request("GET", "/", HOST, "X: " + "x" * MOST_HEAD_BYTES)),
    "head without an end": (431, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100_000),
    "line without an end": (431, b"x" * 1_000_000),
    "many headers": (431, request("GET", "/", *(f"X-{number}: y" for number in range(200)))),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_plain_request_is_refused_and_said_in_one_line(
    hub: RunningHub, said: Said, name: str
) -> None:
    expected, raw = REFUSED[name]
    answer = sent(hub, raw)
    assert status(answer) == expected
    assert b"\r\nConnection: close\r\n" in answer
    [line] = said
    assert re.fullmatch(rf"127\.0\.0\.1:[0-9]+: refused with {expected}: .{{1,100}}", line)
    assert_serves(hub)


def test_a_large_body_is_refused_while_it_is_sent(hub: RunningHub) -> None:
    size = MOST_BODY_BYTES + 1
    raw = request("POST", PATHS_INFO, HOST, f"Content-Length: {size}", body=b" " * size)
    assert status(sent(hub, raw)) == 413
    size -= 1
    raw = request(
        "POST", PATHS_INFO, HOST, JSON, f"Content-Length: {size}", "Connection: close", body=b" " * size
    )
    assert status(sent(hub, raw)) == 400
    assert_serves(hub)


BODIES = [
    b"{",
    b"[]",
    b"7",
    b"null",
    b'"x"',
    b'{"paths": 7}',
    b'{"paths": [7]}',
    b'{"paths": [["config.json"]]}',
]
BODIES += [b'{"paths": {"config.json": 1}}', b"[" * 100_000, b"\xff\xfe", b'{"paths": [%s]}' % (b"9" * 5_000)]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body[:20].decode("latin-1"))
def test_a_body_that_names_no_paths_is_a_bad_request(hub: RunningHub, said: Said, body: bytes) -> None:
    length = f"Content-Length: {len(body)}"
    answer = sent(hub, request("POST", PATHS_INFO, HOST, JSON, length, "Connection: close", body=body))
    assert status(answer) == 400
    form = request("POST", PATHS_INFO, HOST, length, "Connection: close", body=body)
    assert status(sent(hub, form)) == (400 if b"\xff" in body else 200)
    assert said == []
    assert_serves(hub)


def test_a_path_named_many_times_is_described_once(hub: RunningHub) -> None:
    body = json.dumps({"paths": ["config.json"] * 50_000})
    reply = ask(f"{hub.endpoint}{PATHS_INFO}", "POST", body, Content_Type="application/json")
    assert [entry["path"] for entry in json.loads(reply.body)] == ["config.json"]


NINES = "9" * 5_000


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (f"bytes={NINES}-", (416, b"Range not satisfiable")),
        (f"bytes=0-{NINES}", (206, WEIGHTS)),
        (f"bytes=-{NINES}", (206, WEIGHTS)),
        (f"bytes={NINES}-{NINES}", (416, b"Range not satisfiable")),
        ("bytes=\u00b2-\u00b3", (200, WEIGHTS)),
    ],
    ids=["from", "to", "last", "both", "superscript"],
)
def test_a_range_with_five_thousand_digits_is_answered_like_any_other(
    hub: RunningHub, asked: str, expected: tuple[int, bytes]
) -> None:
    reply = ask(weights_at(hub), Range=asked)
    assert (reply.status, reply.body) == expected


def test_numbers_and_signatures_that_are_none_are_refused(hub: RunningHub, said: Said) -> None:
    for asked in (f"limit={NINES}", f"cursor={NINES}", "limit=%C2%B2", "cursor=-1"):
        assert ask(f"{hub.endpoint}/api/models?{asked}").status == 400
    path = f"/owner/small/resolve/{small_repos()['owner/small'].commit}/model.safetensors"
    assert ask(sign(hub.server.site, path, time.time() + 10)).status == 200
    assert ask(f"{hub.cdn}{path}?Expires=1&Signature=%C3%BC").status == 403
    assert said == []


def test_a_bug_answers_500_and_ends_nothing_else(
    hub: RunningHub, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("not\nexpected")

    with monkeypatch.context() as patch:
        patch.setattr("ingest.replica.server.respond", stumble)
        assert ask(f"{hub.endpoint}{CONFIG_PATH}").status == 500
    [line] = said
    assert "with 500: ZeroDivisionError: not\\nexpected" in line
    assert_serves(hub)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        (b"", None),
        (b"GET / HTT", 408),
        (b"GET / HTTP/1.1\r\nX: y\r\n", 408),
        (request("POST", PATHS_INFO, HOST, "Content-Length: 100", body=b"{"), 408),
    ],
    ids=["nothing", "half a line", "half a head", "half a body"],
)
def test_a_client_that_sends_no_more_is_given_up(
    hasty: RunningHub, said: Said, begun: bytes, expected: int | None
) -> None:
    with connected(hasty) as connection:
        connection.sendall(begun)
        begin = time.monotonic()
        answer = everything(connection)
        assert time.monotonic() - begin < 5
    assert (status(answer) if answer else None) == expected
    assert len(said) == (expected is not None)
    assert_serves(hasty)


@pytest.mark.slow
def test_a_client_that_sends_byte_by_byte_is_given_up(hasty: RunningHub) -> None:
    with connected(hasty) as connection, suppress(ConnectionError):
        begin = time.monotonic()
        for byte in request("GET", CONFIG_PATH, HOST, "X: " + "y" * 200):
            connection.sendall(bytes([byte]))
            time.sleep(0.02)
        pytest.fail("it was never given up")
    assert time.monotonic() - begin < 4
    assert_serves(hasty)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 40])
def test_a_client_that_does_not_take_its_answers_is_given_up(
    hasty: RunningHub, said: Said, count: int
) -> None:
    """Reads one large file, or sends many requests at once."""
    large = "/owner/small/resolve/main/model.safetensors"
    with connected(hasty, receive_buffer=4_096) as connection:
        with suppress(ConnectionError, TimeoutError):
            connection.settimeout(1)
            connection.sendall(request("GET", large, HOST) * count * 1_000)
        deadline = time.monotonic() + 8
        while not said and time.monotonic() < deadline:
            time.sleep(0.05)
    assert any("closed: it took no more of an answer for 0.5 s" in line for line in said)
    assert_serves(hasty)


def test_of_many_idle_connections_the_oldest_make_room(hub: RunningHub, said: Said) -> None:
    hub.server.most_connections = 20
    with ExitStack() as stack:
        idle = [stack.enter_context(connected(hub)) for _ in range(60)]
        assert_serves(hub)
        deadline = time.monotonic() + 10
        while len(hub.server._open) > 20 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(hub.server._open) <= 20
        idle[-1].sendall(request("GET", CONFIG_PATH, HOST, "Connection: close"))
        assert status(everything(idle[-1])) == 200
    assert len(said) >= 39


RAW = st.binary(max_size=60) | st.sampled_from(
    [
        *(raw for _, raw in REFUSED.values() if len(raw) < 20_000),
        request("GET", CONFIG_PATH, HOST),
        request("HEAD", CONFIG_PATH, HOST, "Range: bytes=3-1"),
        request("POST", PATHS_INFO, HOST, "Content-Length: 2", body=b"{}"),
        request("GET", "/api/models?limit=%00&cursor=%ff", HOST),
        request("GET", "/api/models/%2e%2e/%0d%0aX/tree/main/%ff", HOST),
        request("GET", "/owner/small/resolve/%0d%0a/x", HOST),
        request("DELETE", "*", HOST),
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(RAW, max_size=4), st.integers(0, 200))
def test_any_bytes_are_answered_or_the_connection_ends(
    hasty: RunningHub, raws: list[bytes], cut: int
) -> None:
    raw = b"".join(raws)
    with connected(hasty) as connection, suppress(ConnectionError):
        connection.sendall(raw[: len(raw) - cut] if cut < 100 else raw)
        connection.shutdown(socket.SHUT_WR)
        answer = everything(connection)
        assert not answer or status(answer) in range(200, 505)
    assert b" 500 " not in answer


@pytest.mark.slow
def test_the_command_survives_all_of_it_with_a_line_each(tmp_path: Path) -> None:
    """Even if few files may be open: some are kept free."""
    script = (
        "import resource, runpy; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)); "
        "runpy.run_module('ingest', run_name='__main__')"
    )
    command = [sys.executable, "-c", script, "serve", "--port", "0", "--until-stdin-closes"]
    errors = tmp_path / "errors"
    with (
        errors.open("wb") as stderr,
        subprocess.Popen(
            command, cwd=PROJECT_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr
        ) as child,
    ):
        assert child.stdout is not None
        address = json.loads(child.stdout.readline())["endpoint"]
        port = int(address.rpartition(":")[2])
        with ExitStack() as stack:
            for _ in range(150):
                stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            for _, raw in REFUSED.values():
                with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                    with suppress(ConnectionError):
                        connection.sendall(raw)
                    everything(connection)
            assert ask(f"{address}/api/models").status == 200
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=20)
    lines = errors.read_text().splitlines()
    assert sum(": refused with " in line for line in lines) == len(REFUSED)
    # the last is what asyncio says should it accept connections faster than it closes them
    line = re.compile(
        r"127\.0\.0\.1:[0-9]+: (refused with [0-9]+: .+|closed: there are more than [0-9]+ connections)"
        r"|socket\.accept\(\) out of system resource: too many open files: .+"
    )
    assert [other for other in lines if not line.fullmatch(other)] == []


@pytest.mark.parametrize(
    "option",
    [
        ["--port", "65536"],
        ["--port", "-1"],
        ["--delay-ms", "nan"],
        ["--delay-ms", "-5"],
        ["--delay-ms", "1e99"],
        ["--population", "1000000000"],
    ],
    ids=" ".join,
)
def test_an_option_that_cannot_be_is_wrong_usage(
    option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from ingest.__main__ import main

    with pytest.raises(SystemExit) as ended:
        main(["serve", *option])
    assert ended.value.code == 2
    assert f"argument {option[0]}" in capsys.readouterr().err
