"""The environment's proxies are used as by other tools; a real proxy logs the requests."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

import pytest

from ingest.__main__ import main
from tests.hub import serve_in_thread
from tests.ingest import tiny

REPO = "some-lab/Tiny-1B"


@contextmanager
def forwarding_proxy() -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    """The proxy's address, and the path and User-Agent of each request."""
    asked: list[tuple[str, str | None]] = []

    class Proxy(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            target = urlsplit(self.path)
            asked.append((target.path, self.headers["Proxy-Authorization"]))
            onward = http.client.HTTPConnection(target.netloc, timeout=10)
            onward.request("GET", target._replace(scheme="", netloc="").geturl(), headers=dict(self.headers))
            answer = onward.getresponse()
            body = answer.read()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            onward.close()

        def log_message(self, *_: object) -> None:
            """Discards the log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}", asked
        server.shutdown()


@pytest.fixture(autouse=True)
def _no_proxies_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.slow
@pytest.mark.parametrize("variable", ["http_proxy", "ALL_PROXY"])
@pytest.mark.usefixtures("data")
def test_every_request_goes_through_the_proxy_the_environment_names(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        serve_in_thread(tiny.repo(REPO, tiny.files(tiny.norms(1)))) as hub,
        forwarding_proxy() as (at, asked),
    ):
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv(variable, f"http://user:word@{at}")
        assert main(["hub", REPO]) == 0
        assert len(asked) == len(hub.log)
        assert {who for _, who in asked} == {"Basic dXNlcjp3b3Jk"}


@pytest.mark.slow
@pytest.mark.usefixtures("data")
def test_no_request_goes_through_the_proxy_where_no_proxy_excludes_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        serve_in_thread(tiny.repo(REPO, tiny.files(tiny.norms(1)))) as hub,
        forwarding_proxy() as (at, asked),
    ):
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv("http_proxy", at)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert main(["hub", REPO]) == 0
        assert not asked
        assert hub.log


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("address", ["socks5://user:word@127.0.0.1:9", "gopher://word", "http://word:9:9"])
def test_a_proxy_that_cannot_be_used_is_refused_without_being_shown(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://hub.example")
    monkeypatch.setenv("ALL_PROXY", address)
    assert main(["hub", REPO]) == 1
    said = capsys.readouterr().err
    assert (
        "the proxy that the environment names for hub.example is not an http:// or https:// address" in said
    )
    assert "word" not in said
