"""Who can reach the page of `just explore`, over real sockets."""

from __future__ import annotations

import hashlib
import re
import signal
import socket
import time
import urllib.parse
from base64 import b64encode
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from analysis.explore.guard import content_policy, is_own_request
from analysis.explore.server import _listen
from tests.explore.serving import exchange, handshake, running
from tests.sql.lakes import tiny_models, write_lake
from warehouse.errors import UsageError
from warehouse.lake import remember_current

FORBIDDEN = b"HTTP/1.1 403 "


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data with one lake `made`."""
    data = tmp_path_factory.mktemp("guarded") / "data"
    models = tiny_models()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(data))
        remember_current(write_lake(data / "made", {name: models[name] for name in ("base", "noisy")}))
    return data


@pytest.fixture
def served(address: str) -> tuple[int, str]:
    """Port and path of the page."""
    parts = urllib.parse.urlsplit(address)
    assert parts.port is not None
    return parts.port, parts.path or "/"


def own(port: int) -> str:
    return f"Host: 127.0.0.1:{port}"


def test_the_printed_address_has_the_page(served: tuple[int, str]) -> None:
    port, path = served
    for host in ("127.0.0.1", "localhost"):
        answer = exchange(port, path, f"Host: {host}:{port}")
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert b"marimo-server-token" in answer
    assert re.fullmatch(r"/[\w-]{22}/", path)


@pytest.mark.parametrize(
    "hosts",
    [
        ["evil.example"],
        ["evil.example:{port}"],
        ["127.0.0.1"],
        ["127.0.0.1:1"],
        ["localhost"],
        ["LOCALHOST:{port}"],
        ["localhost.:{port}"],
        ["127.0.0.1.evil.example:{port}"],
        ["127.1:{port}"],
        ["0.0.0.0:{port}"],
        ["[::1]:{port}"],
        ["user@127.0.0.1:{port}"],
        ["127.0.0.1:{port}, evil.example"],
        [""],
        [],
        ["127.0.0.1:{port}", "evil.example"],
        ["127.0.0.1:{port}", "127.0.0.1:{port}"],
    ],
)
@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_another_host_gets_no_page(served: tuple[int, str], hosts: list[str], version: str) -> None:
    port, path = served
    answer = exchange(port, path, *(f"Host: {host.format(port=port)}" for host in hosts), version=version)
    assert answer.split()[1] in (b"403", b"400")  # 400: not even HTTP
    assert b"token" not in answer.lower()
    opened = handshake(
        port, f"{path}ws?session_id=s_1", *(f"Host: {host.format(port=port)}" for host in hosts),
        f"Origin: http://127.0.0.1:{port}",
    )  # fmt: skip
    assert opened.split()[1] in (b"403", b"400")


def test_without_the_token_nothing_is_served(served: tuple[int, str]) -> None:
    port, path = served
    token = path.strip("/")
    wrong = token[:-1] + ("A" if token[-1] != "A" else "B")
    for start in ("/", "//", f"/{wrong}/", f"/{token[:-1]}/", f"/{token}x/", f"//{token}/", "/é/", "/%00/"):
        for page in ("", "health", "ws", "auth/login", "assets/index.js", "@file/1-a.csv", "favicon.ico"):
            answer = exchange(port, urllib.parse.quote(start + page, safe="/%@"), own(port))
            assert answer.startswith(FORBIDDEN), (start, page)
            assert token.encode() not in answer
            assert b"server-token" not in answer
    for field in ("access_token", "token"):
        assert exchange(port, f"/?{field}={token}", own(port)).startswith(FORBIDDEN)
    bearer = f"Authorization: Bearer {token}"
    assert exchange(port, "/", own(port), bearer).startswith(FORBIDDEN)


def test_a_whole_address_as_target_is_refused(served: tuple[int, str]) -> None:
    port, path = served
    for address in (f"http://evil.example{path}", f"http://127.0.0.1:{port}{path}", f"*{path}", path[1:]):
        answer = exchange(port, address, own(port))
        assert answer.split()[1] in (b"403", b"400", b"404")
        assert b"server-token" not in answer


def test_a_websocket_is_accepted_from_the_page_alone(served: tuple[int, str]) -> None:
    port, path = served
    target = f"{path}ws?session_id=s_2"
    for host in ("127.0.0.1", "localhost"):
        right = [f"Host: {host}:{port}", f"Origin: http://{host}:{port}"]
        assert handshake(port, target, *right).startswith(b"HTTP/1.1 101 ")
        assert handshake(port, "/ws?session_id=s_2", *right).startswith(FORBIDDEN)
    origins = [
        "http://evil.example",
        "http://127.0.0.1",
        f"http://localhost:{port}",  # of the other of its two names
        f"https://127.0.0.1:{port}",
        f"http://127.0.0.1:{port}/",
        f"http://127.0.0.1:{port}.evil.example",
        f"http://127.0.0.1:{port + 1}",
        "null",
        "",
    ]
    for origin in origins:
        assert handshake(port, target, own(port), f"Origin: {origin}").startswith(FORBIDDEN), origin
        answer = exchange(port, path, own(port), f"Origin: {origin}")
        assert answer.startswith(FORBIDDEN), origin
        assert b"server-token" not in answer
    assert handshake(port, target, own(port)).startswith(FORBIDDEN)
    twice = [f"Origin: http://127.0.0.1:{port}"] * 2
    assert handshake(port, target, own(port), *twice).split()[1] in (b"403", b"400")


def test_a_post_needs_the_origin_of_the_page(served: tuple[int, str]) -> None:
    port, path = served
    target = f"{path}api/kernel/set_ui_element_value"
    for origin in ([], ["Origin: null"], ["Origin: http://evil.example"]):
        answer = exchange(port, target, own(port), *origin, "Content-Length: 2", method="POST")
        assert answer.startswith(FORBIDDEN)
    right = [own(port), f"Origin: http://127.0.0.1:{port}", "Content-Length: 2"]
    answer = exchange(port, target, *right, method="POST")
    assert answer.startswith(b"HTTP/1.1 401 ")  # marimo's own token, in a header of the page's script
    assert b"Missing server token" in answer


@pytest.mark.parametrize(
    "page",
    [
        "api/kernel/instantiate",
        "api/kernel/run",
        "api/kernel/execute",
        "api/kernel/scratchpad/run",
        "api/kernel/function_call",
        "api/kernel/set_model_value",
        "api/kernel/read_code",
        "api/kernel/save",
        "api/kernel/shutdown",
        "api/files/list_files",
        "api/files/open",
        "api/export/html",
        "api/home/workspace_files",
        "api/ai/chat",
        "api/packages/add",
        "api/secrets/keys",
        "api/status/connections",
        "api/version",
        "auth/login",
        "terminal/ws",
        "lsp/pylsp",
        "mcp/server",
        "sse",
        "ws_sync",
        "public/app.py",
        "public-files-sw.js",
        "og/thumbnail",
        "assets/../index.html",
        "assets/..%2findex.html",
        "@file/../../etc/passwd",
        "@file/..%2f..%2fetc%2fpasswd",
    ],
)
def test_marimo_serves_nothing_that_the_page_does_not_use(served: tuple[int, str], page: str) -> None:
    port, path = served
    right = [own(port), f"Origin: http://127.0.0.1:{port}"]
    assert exchange(port, path + page, own(port)).startswith(FORBIDDEN)
    answer = exchange(port, path + page, *right, "Content-Length: 2", method="POST")
    assert answer.startswith(FORBIDDEN)
    assert handshake(port, path + page, *right).startswith(FORBIDDEN)


def test_the_page_forbids_scripts_frames_and_addresses_of_others(served: tuple[int, str]) -> None:
    port, path = served
    head = exchange(port, path, own(port), 'If-None-Match: "*"', "If-None-Match: *").split(b"\r\n\r\n")[0]
    [policy] = re.findall(rb"content-security-policy: (.*)\r\n", head + b"\r\n")
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.decode().split("; ")}
    assert rules["default-src"] == ["'none'"]
    assert "'unsafe-inline'" not in rules["script-src"]
    assert sum(one.startswith("'sha256-") for one in rules["script-src"]) >= 2
    assert rules["connect-src"] == ["'self'", f"ws://127.0.0.1:{port}", f"ws://localhost:{port}"]
    assert rules["frame-ancestors"] == ["'none'"]
    assert b"x-content-type-options: nosniff" in head
    assert b"cross-origin-resource-policy: same-origin" in head


def test_only_scripts_inside_the_page_are_hashed() -> None:
    policy = content_policy(b"<script>one</script><script src='a'></script><script async>\ntwo</script>", 1)
    for script in (b"one", b"\ntwo"):
        assert f"'sha256-{b64encode(hashlib.sha256(script).digest()).decode()}'" in policy
    assert policy.count("sha256-") == 2


def test_on_port_80_browsers_leave_out_the_port() -> None:
    def request(host: bytes) -> dict[str, object]:
        return {"type": "http", "method": "GET", "path": "/t/", "headers": [(b"host", host)]}

    assert is_own_request(request(b"localhost"), "t", 80)
    assert not is_own_request(request(b"localhost:80"), "t", 80)
    assert not is_own_request(request(b"localhost"), "t", 8080)


def test_a_port_that_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=rf"cannot use port {port} of 127.0.0.1 \(.+\): .* --port"):
            _listen(port)


@pytest.mark.parametrize("port", [99999, -1])
def test_a_number_that_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(UsageError, match=rf"cannot use port {port} of .* \(it must be 0 to 65535\)"):
        _listen(port)


@pytest.mark.slow
def test_no_command_line_shows_the_token_and_ctrl_c_ends_an_open_page_in_one_line(
    data: Path, tmp_path: Path
) -> None:
    """Every user of a machine can read the command lines of all processes."""
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(f"""#!/bin/sh
folder=$(dirname "${{1#file://}}")
{{ echo "$@"; stat -c %a "$folder"; cat "${{1#file://}}"; }} > {seen}.new
mv {seen}.new {seen}
""")
    browser.chmod(0o700)
    with running(data, "made", "--port", "0", browser=str(browser)) as (server, address):
        parts = urllib.parse.urlsplit(address)
        token = parts.path.strip("/")
        assert token not in Path(f"/proc/{server.pid}/cmdline").read_text()
        end = time.monotonic() + 30
        while not seen.exists() and time.monotonic() < end:
            time.sleep(0.1)
        arguments, mode, page = seen.read_text().splitlines()
        assert token not in arguments
        assert mode == "700"
        assert f"url={address}" in page

        origin = f"http://127.0.0.1:{parts.port}"
        with connect(f"ws://{parts.netloc}{parts.path}ws?session_id=s_3", origin=Origin(origin)) as opened:
            assert "kernel-ready" in str(opened.recv(timeout=30))
            server.send_signal(signal.SIGINT)
            _, said = server.communicate(timeout=20)
    assert server.returncode == 130
    assert said.splitlines()[-1] == "interrupted"
    assert [line.split()[0] for line in said.splitlines()] == ["lake", "interrupted"]
    assert sorted(path.name for path in data.iterdir()) == [".made", "current", "made"]
