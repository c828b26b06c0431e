"""TLS and proxies with test certificates: trusted ones work, others are refused with the reason."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
import trustme

from ingest.__main__ import main
from tests.hub import RunningHub, serve_in_thread
from tests.ingest import tiny
from tests.ingest.running import refused, stored
from tests.ingest.sockets import listening, tls_before, tunnelling_proxy

REPO = "some-lab/Tiny-1B"
Capture = pytest.CaptureFixture[str]
# the first frames of an HTTP/2 server: empty SETTINGS, then GOAWAY
SETTINGS_AND_GOAWAY = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]) + bytes([0, 0, 8, 7] + [0] * 12 + [1])


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@contextmanager
def hub_over_tls(authority: trustme.CA, name: str = "localhost") -> Iterator[tuple[RunningHub, str]]:
    """A hub and its address; its CDN has TLS as well."""
    with (
        serve_in_thread(tiny.repo(REPO, tiny.files(tiny.norms(1)))) as hub,
        tls_before(int(hub.endpoint.rpartition(":")[2]), authority, name) as endpoint,
        tls_before(int(hub.cdn.rpartition(":")[2]), authority, name) as cdn,
    ):
        hub.server.site.cdn = cdn
        yield hub, endpoint


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))


@pytest.mark.slow
@pytest.mark.usefixtures("trusted")
def test_a_hub_with_a_certificate_of_its_own_is_read_once_ssl_cert_file_names_it(
    authority: trustme.CA, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_over_tls(authority) as (hub, endpoint):
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        assert main(["auto", REPO, "--quiet"]) == 0
        assert {entry.request.port for entry in hub.log} == {"hub", "cdn"}
    assert len(stored(data / "hub", "tiny_1b")) == 7


@pytest.mark.parametrize("source", ["auto", "hub"])
def test_a_certificate_that_is_not_trusted_is_an_error_that_names_ssl_cert_file(
    source: str, authority: trustme.CA, data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_over_tls(authority) as (hub, endpoint):
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        line = refused(capsys, data / "hub", source, *([] if source == "auto" else [REPO]))
        assert not hub.log
    assert "is not trusted (" in line
    assert "set SSL_CERT_FILE to the file of its authority" in line


@pytest.mark.usefixtures("trusted")
def test_a_certificate_for_another_name_is_not_trusted(
    authority: trustme.CA, data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_over_tls(authority, "elsewhere.example") as (_, endpoint):
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        assert "Hostname mismatch" in refused(capsys, data / "hub", "hub", REPO)


def test_a_file_of_certificates_that_is_not_there_is_said(
    data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere.pem")
    assert "SSL_CERT_FILE or SSL_CERT_DIR cannot be read" in refused(capsys, data / "hub", "hub", REPO)


@pytest.mark.slow
@pytest.mark.usefixtures("trusted", "data")
def test_tls_goes_through_a_proxys_tunnel_and_the_proxy_sees_neither_path_nor_token(
    authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_over_tls(authority) as (hub, endpoint), tunnelling_proxy() as (proxy, asked):
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:word@{proxy}")
        monkeypatch.setenv("HF_TOKEN", "hf_secret")
        assert main(["hub", REPO, "--quiet"]) == 0
        assert any(entry.request.headers.get("authorization") == "Bearer hf_secret" for entry in hub.log)
    assert asked
    for head in asked:
        assert head.startswith(b"CONNECT localhost:")
        assert b"Proxy-Authorization: Basic dXNlcjp3b3Jk" in head
        assert b"hf_secret" not in head
        assert b"Tiny" not in head


REFUSALS = {
    b"407 Proxy Authentication Required": "to http://user:password@host:port",
    b"403 Forbidden": "ask whoever runs it, or set NO_PROXY to localhost",
}


@pytest.mark.parametrize("source", ["auto", "hub"])
@pytest.mark.parametrize("status", REFUSALS)
def test_a_proxy_that_refuses_is_an_error_and_never_the_replica(
    source: str, status: bytes, data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n"
    with tunnelling_proxy(refusal) as (proxy, asked):
        monkeypatch.setenv("HF_ENDPOINT", "https://localhost:9")
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:secret@{proxy}")
        line = refused(capsys, data / "hub", source, "glm")
    assert f"the proxy does not let us through to localhost:9 ({status.decode()})" in line
    assert REFUSALS[status] in line
    assert "secret" not in line
    assert len(asked) == 1
    assert not (data / "replica").exists()


def test_a_proxy_that_wants_a_password_for_what_goes_in_the_open_is_an_error(
    data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tunnelling_proxy(b"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n") as (proxy, _):
        monkeypatch.setenv("HF_ENDPOINT", "http://hub.example")
        monkeypatch.setenv("HTTP_PROXY", f"http://{proxy}")
        line = refused(capsys, data / "hub", "auto", "glm")
    assert "does not let us through to hub.example (407 Proxy Authentication Required)" in line


def test_a_proxy_that_cannot_reach_the_hub_is_as_if_no_hub_answered(
    data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NORMHOUSE_FIRST_WAIT", "0.01")
    with tunnelling_proxy(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n") as (proxy, asked):
        monkeypatch.setenv("HF_ENDPOINT", "https://localhost:9")
        monkeypatch.setenv("HTTPS_PROXY", f"http://{proxy}")
        assert "cannot reach https://localhost:9 (502 Bad Gateway)" in refused(
            capsys, data / "hub", "hub", "glm"
        )
    assert len(asked) == 2


def test_a_server_of_http_2_alone_is_said(
    data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def talk(connection: socket.socket, _over: Event) -> None:
        connection.recv(4_096)
        connection.sendall(SETTINGS_AND_GOAWAY)

    monkeypatch.setenv("NORMHOUSE_FIRST_WAIT", "0.01")
    with listening(talk) as port:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{port}")
        line = refused(capsys, data / "hub", "hub", REPO)
    assert "does not answer in HTTP/1.1; a server of HTTP/2 alone would do so, and is not supported" in line
