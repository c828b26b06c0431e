"""The replica server answers as the hub and its CDN do, over real sockets."""

from __future__ import annotations

import gc
import json
import socket
import time
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from ingest.replica.site import sign
from tests.hub import RunningHub, serve_in_thread
from tests.replica.talking import CONFIG, WEIGHTS, ask, signed, small_repos, weights_at

TOKEN, UNAPPROVED = "hf_right", "hf_unapproved"
COMMIT = small_repos()["owner/small"].commit


@pytest.fixture
def hub() -> Iterator[RunningHub]:
    with serve_in_thread(small_repos(), token=TOKEN, unapproved_token=UNAPPROVED) as running:
        yield running


def bearer(token: str) -> str:
    return f"Bearer {token}"


def test_a_small_file_comes_directly_with_its_metadata(hub: RunningHub) -> None:
    reply = ask(f"{hub.endpoint}/owner/small/resolve/main/config.json")
    assert (reply.status, reply.body) == (200, CONFIG)
    assert reply.headers["X-Repo-Commit"] == COMMIT
    assert reply.headers["ETag"] == f'"{small_repos()["owner/small"].files["config.json"].etag}"'
    assert reply.headers["Accept-Ranges"] == "bytes"


def test_an_lfs_file_is_redirected_to_a_signed_address_with_its_metadata_on_the_redirect(
    hub: RunningHub,
) -> None:
    reply = ask(weights_at(hub), Range="bytes=0-7")
    assert reply.status == 302
    assert reply.headers["Location"].startswith(hub.cdn + "/")
    assert reply.headers["X-Repo-Commit"] == COMMIT
    assert reply.headers["X-Linked-Size"] == str(len(WEIGHTS))
    assert (
        reply.headers["X-Linked-Etag"].strip('"')
        == small_repos()["owner/small"].files["model.safetensors"].etag
    )
    data = ask(reply.headers["Location"], Range="bytes=256-263")
    assert (data.status, data.body) == (206, bytes(range(8)))
    assert data.headers["Content-Range"] == f"bytes 256-263/{len(WEIGHTS)}"


@pytest.mark.parametrize(
    ("asked", "expected", "label"),
    [
        ("bytes=0-0", WEIGHTS[:1], "0-0"),
        ("bytes=10230-", WEIGHTS[10230:], "10230-10239"),
        ("bytes=-3", WEIGHTS[-3:], "10237-10239"),
        ("bytes=10000-99999", WEIGHTS[10000:], "10000-10239"),
    ],
)
def test_a_range_is_answered_inclusively_and_cut_at_the_end(
    hub: RunningHub, asked: str, expected: bytes, label: str
) -> None:
    reply = ask(signed(hub), Range=asked)
    assert (reply.status, reply.body) == (206, expected)
    assert reply.headers["Content-Range"] == f"bytes {label}/{len(WEIGHTS)}"


def test_a_range_beyond_the_end_is_refused(hub: RunningHub) -> None:
    reply = ask(signed(hub), Range="bytes=10240-")
    assert (reply.status, reply.headers["Content-Range"]) == (416, "bytes */10240")


@pytest.mark.parametrize("asked", ["", "bytes=0-1,4-5", "bytes=-", "bytes=a-b", "lines=0-1"])
def test_no_range_or_one_that_makes_no_sense_gets_the_whole_file(hub: RunningHub, asked: str) -> None:
    reply = ask(signed(hub), Range=asked)
    assert (reply.status, reply.body) == (200, WEIGHTS)


def test_without_redirect_ranges_come_from_the_hub_port() -> None:
    with serve_in_thread(small_repos(), redirect=False) as hub:
        reply = ask(weights_at(hub), Range="bytes=1-2")
    assert (reply.status, reply.body) == (206, b"\x01\x02")
    assert reply.headers["X-Linked-Size"] == str(len(WEIGHTS))


def test_head_is_get_without_body(hub: RunningHub) -> None:
    redirect = ask(weights_at(hub), "HEAD")
    assert (redirect.status, redirect.body) == (302, b"")
    assert redirect.headers["X-Linked-Size"] == str(len(WEIGHTS))
    small = ask(f"{hub.endpoint}/owner/small/resolve/main/config.json", "HEAD")
    assert (small.status, small.headers["Content-Length"], small.body) == (200, str(len(CONFIG)), b"")


def test_the_cdn_refuses_unsigned_forged_and_expired_addresses(hub: RunningHub) -> None:
    address = signed(hub)
    bare = address.partition("?")[0]
    assert ask(bare).status == 403
    assert ask(address[:-1] + ("0" if address[-1] != "0" else "1")).status == 403
    path = f"/owner/small/resolve/{COMMIT}/model.safetensors"
    assert ask(sign(hub.server.site, path, time.time() - 10)).status == 403
    assert ask(sign(hub.server.site, path, time.time() + 10)).status == 200


def test_the_cdn_refuses_a_token_beside_a_signature(hub: RunningHub) -> None:
    assert ask(signed(hub), Authorization=bearer(TOKEN)).status == 400


def test_a_signed_address_expires_by_itself() -> None:
    with serve_in_thread(small_repos(), address_seconds=0.3) as hub:
        address = signed(hub)
        assert ask(address).status == 200
        time.sleep(0.35)
        assert ask(address).status == 403


@pytest.mark.parametrize(
    ("path", "token", "status", "code"),
    [
        ("owner/none/resolve/main/config.json", None, 401, "RepoNotFound"),
        ("owner/none/resolve/main/config.json", TOKEN, 404, "RepoNotFound"),
        ("owner/private/resolve/main/config.json", None, 401, "RepoNotFound"),
        ("owner/private/resolve/main/config.json", TOKEN, 200, None),
        ("owner/gated/resolve/main/config.json", None, 401, "GatedRepo"),
        ("owner/gated/resolve/main/config.json", UNAPPROVED, 403, "GatedRepo"),
        ("owner/gated/resolve/main/config.json", TOKEN, 200, None),
        ("owner/small/resolve/v9/config.json", None, 404, "RevisionNotFound"),
        ("owner/small/resolve/main/none.json", None, 404, "EntryNotFound"),
        (f"owner/small/resolve/{COMMIT}/config.json", None, 200, None),
        ("owner/small/resolve/main/config.json", "hf_wrong", 401, None),
        ("api/models/owner/none", None, 401, "RepoNotFound"),
        ("api/models/owner/gated", None, 200, None),
        ("api/models/owner/private", None, 401, "RepoNotFound"),
        ("api/models/owner/small/revision/v9", None, 404, "RevisionNotFound"),
        ("api/models/owner/small", "hf_wrong", 401, None),
    ],
)
def test_refusals_carry_the_hubs_status_and_error_code(
    hub: RunningHub, path: str, token: str | None, status: int, code: str | None
) -> None:
    reply = ask(f"{hub.endpoint}/{path}", **({"Authorization": bearer(token)} if token else {}))
    assert (reply.status, reply.headers.get("X-Error-Code")) == (status, code)
    if token == "hf_wrong":
        assert reply.headers["X-Error-Message"] == "Invalid credentials in Authorization header"


def test_model_info_lists_files_commit_licence_and_gate(hub: RunningHub) -> None:
    info = json.loads(ask(f"{hub.endpoint}/api/models/owner/gated/revision/main").body)
    assert (info["id"], info["sha"], info["gated"]) == (
        "owner/gated",
        small_repos()["owner/gated"].commit,
        "auto",
    )
    assert info["siblings"] == [{"rfilename": name} for name in small_repos()["owner/gated"].files]
    assert info["cardData"] == {"license": "mit"}
    assert "license:mit" in info["tags"]
    blobs = json.loads(ask(f"{hub.endpoint}/api/models/owner/small?blobs=true").body)
    assert [entry["size"] for entry in blobs["siblings"]] == [len(CONFIG), len(WEIGHTS), 5]


def test_the_listing_hides_private_repos_from_strangers(hub: RunningHub) -> None:
    seen = json.loads(ask(f"{hub.endpoint}/api/models").body)
    assert [repo["id"] for repo in seen] == ["owner/small", "owner/gated"]


def test_the_tree_shows_folders_or_everything_below_them(hub: RunningHub) -> None:
    tree = f"{hub.endpoint}/api/models/owner/small/tree/main"
    flat = json.loads(ask(tree).body)
    assert [(entry["type"], entry["path"]) for entry in flat][-1] == ("directory", "sub")
    deep = json.loads(ask(tree + "?recursive=true").body)
    assert [entry["path"] for entry in deep] == list(small_repos()["owner/small"].files)
    assert deep[1]["lfs"]["size"] == len(WEIGHTS)
    assert [entry["path"] for entry in json.loads(ask(tree + "/sub").body)] == ["sub/notes.txt"]
    assert ask(tree + "/none").headers["X-Error-Code"] == "EntryNotFound"


def test_paths_info_describes_the_paths_that_exist(hub: RunningHub) -> None:
    address = f"{hub.endpoint}/api/models/owner/small/paths-info/main"
    form = {"Content_Type": "application/x-www-form-urlencoded"}
    found = json.loads(ask(address, "POST", "paths=config.json&paths=none", **form).body)
    assert [entry["path"] for entry in found] == ["config.json"]


def test_one_connection_serves_many_requests_and_the_log_has_them_all(hub: RunningHub) -> None:
    connection = HTTPConnection(hub.endpoint.removeprefix("http://"), timeout=10)
    for _ in range(5):
        connection.request(
            "GET", "/owner/small/resolve/main/config.json?a=1", headers={"Authorization": bearer(TOKEN)}
        )
        assert connection.getresponse().read() == CONFIG
    connection.close()
    assert len(hub.log) == 5
    last = hub.log[-1]
    assert (last.request.port, last.request.method, last.status, last.sent) == (
        "hub",
        "GET",
        200,
        len(CONFIG),
    )
    assert last.request.path == "/owner/small/resolve/main/config.json"
    assert last.request.query == {"a": "1"}
    assert last.request.headers["authorization"] == bearer(TOKEN)


def test_the_delay_is_added_to_every_answer_without_blocking_others() -> None:
    with serve_in_thread(small_repos(), delay=0.1) as hub:
        start = time.perf_counter()
        connections = [HTTPConnection(hub.endpoint.removeprefix("http://"), timeout=10) for _ in range(8)]
        for connection in connections:
            connection.request("GET", "/owner/small/resolve/main/config.json")
        for connection in connections:
            assert connection.getresponse().read() == CONFIG
            connection.close()
        assert 0.1 <= time.perf_counter() - start < 0.6


@pytest.mark.slow
def test_a_connection_that_comes_while_the_hub_stops_is_closed() -> None:
    """An open one causes a ResourceWarning, and tests fail on warnings."""
    for _ in range(20):
        with serve_in_thread(small_repos()) as hub, socket.socket() as late:
            late.connect(("127.0.0.1", int(hub.endpoint.rpartition(":")[2])))
    gc.collect()


def test_nonsense_instead_of_http_ends_the_connection_only(hub: RunningHub) -> None:
    connection = HTTPConnection(hub.endpoint.removeprefix("http://"), timeout=10)
    connection.connect()
    connection.sock.sendall(b"nonsense\r\n\r\n")
    assert connection.sock.recv(100).startswith(b"HTTP/1.1 400 Bad Request\r\n")
    connection.close()
    assert ask(f"{hub.endpoint}/api/models").status == 200
