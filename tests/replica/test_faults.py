"""Each fault of tests/hub.py changes answers as described, and as many times as configured."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from http.client import HTTPConnection, IncompleteRead
from urllib.parse import urlsplit

import pytest

from ingest.replica.published import QWEN3_4B
from ingest.replica.repos import replica_repos
from tests.hub import WHOLE_FILE_LIMIT, Fault, RunningHub, serve_in_thread
from tests.replica.talking import CONFIG, WEIGHTS, ask, signed, small_repos, weights_at


@pytest.fixture
def hub() -> Iterator[RunningHub]:
    with serve_in_thread(small_repos()) as running:
        yield running


def config_at(hub: RunningHub) -> str:
    return f"{hub.endpoint}/owner/small/resolve/main/config.json"


def test_too_many_requests_says_how_long_to_wait_and_then_stops(hub: RunningHub) -> None:
    hub.faults.append(Fault("too_many_requests", times=2, wait=7, retry_after=True))
    for _ in range(2):
        reply = ask(config_at(hub))
        assert reply.status == 429
        assert reply.headers["RateLimit"] == '"resolvers";r=0;t=7'
        assert reply.headers["RateLimit-Policy"].endswith("q=3000;w=300")
        assert reply.headers["Retry-After"] == "7"
    assert ask(config_at(hub)).status == 200


def test_rate_limit_headers_can_be_left_out(hub: RunningHub) -> None:
    hub.faults.append(Fault("too_many_requests", rate_limit_headers=False))
    reply = ask(config_at(hub))
    assert reply.status == 429
    assert "RateLimit" not in reply.headers
    assert "Retry-After" not in reply.headers


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_server_errors_have_the_status_asked_for(hub: RunningHub, status: int) -> None:
    hub.faults.append(Fault("server_error", status=status))
    assert [ask(config_at(hub)).status for _ in range(2)] == [status, 200]


def test_a_fault_hits_only_its_port_and_path(hub: RunningHub) -> None:
    hub.faults.append(Fault("server_error", where="cdn", path="model.safetensors", times=None))
    assert ask(config_at(hub)).status == 200
    assert ask(weights_at(hub)).status == 302
    assert [ask(signed(hub)).status for _ in range(3)] == [503, 503, 503]
    hub.faults.clear()
    assert ask(signed(hub)).status == 200


def test_a_cut_connection_ends_in_the_middle_of_the_body(hub: RunningHub) -> None:
    hub.faults.append(Fault("cut_connection", where="cdn"))
    with pytest.raises(IncompleteRead) as caught:
        ask(signed(hub), Range="bytes=0-999")
    assert len(caught.value.partial) == 500
    assert ask(signed(hub), Range="bytes=0-999").body == WEIGHTS[:1000]


def test_a_short_body_is_labelled_as_if_it_were_whole(hub: RunningHub) -> None:
    hub.faults.append(Fault("short_body", where="cdn", extra=10))
    reply = ask(signed(hub), Range="bytes=0-99")
    assert (reply.status, reply.body) == (206, WEIGHTS[:90])
    assert reply.headers["Content-Range"] == "bytes 0-99/10240"


def test_a_short_range_says_itself_that_it_is_short(hub: RunningHub) -> None:
    hub.faults.append(Fault("short_range", where="cdn", extra=10))
    reply = ask(signed(hub), Range="bytes=0-99")
    assert (reply.status, reply.body) == (206, WEIGHTS[:90])
    assert reply.headers["Content-Range"] == "bytes 0-89/10240"


def test_a_long_body_has_more_than_was_asked_for(hub: RunningHub) -> None:
    hub.faults.append(Fault("long_body", where="cdn", extra=3))
    reply = ask(signed(hub), Range="bytes=0-99")
    assert (reply.status, reply.body) == (206, WEIGHTS[:100] + bytes(3))
    assert reply.headers["Content-Range"] == "bytes 0-99/10240"


def test_ok_to_a_range_sends_the_whole_file(hub: RunningHub) -> None:
    hub.faults.append(Fault("ok_to_range", where="cdn"))
    reply = ask(signed(hub), Range="bytes=100-199")
    assert (reply.status, reply.body) == (200, WEIGHTS)
    assert "Content-Range" not in reply.headers


def test_ok_to_a_range_of_gigabytes_stops_when_the_client_hangs_up() -> None:
    with serve_in_thread(replica_repos(), faults=[Fault("ok_to_range", where="cdn")]) as hub:
        shard = f"{hub.endpoint}/{QWEN3_4B}/resolve/main/model-00001-of-00003.safetensors"
        parts = urlsplit(ask(shard).headers["Location"])
        connection = HTTPConnection(parts.netloc, timeout=10)
        connection.request("GET", f"{parts.path}?{parts.query}", headers={"Range": "bytes=0-7"})
        answer = connection.getresponse()
        assert answer.status == 200
        assert int(answer.headers["Content-Length"]) > 3_000_000_000
        assert len(answer.read(8)) == 8
        answer.close()
        connection.close()
        time.sleep(0.1)
        assert hub.log[-1].sent < WHOLE_FILE_LIMIT


def test_a_wrong_content_range_labels_other_bytes(hub: RunningHub) -> None:
    hub.faults.append(Fault("wrong_content_range", where="cdn", extra=8))
    reply = ask(signed(hub), Range="bytes=0-99")
    assert (reply.status, reply.body) == (206, WEIGHTS[:100])
    assert reply.headers["Content-Range"] == "bytes 8-107/10240"


def test_a_slow_answer_takes_its_time(hub: RunningHub) -> None:
    hub.faults.append(Fault("slow", wait=0.2))
    start = time.perf_counter()
    assert ask(config_at(hub)).body == CONFIG
    assert time.perf_counter() - start >= 0.2


def test_a_foreign_redirect_leads_to_the_other_host_with_the_same_path(hub: RunningHub) -> None:
    with serve_in_thread(small_repos()) as other:
        hub.faults.append(Fault("foreign_redirect", to=other.endpoint))
        reply = ask(config_at(hub) + "?a=1")
        assert reply.status == 302
        assert reply.headers["Location"] == config_at(other) + "?a=1"
        assert ask(reply.headers["Location"]).body == CONFIG


def test_a_redirect_loop_leads_to_itself_for_ever(hub: RunningHub) -> None:
    hub.faults.append(Fault("redirect_loop", times=None))
    path = "/owner/small/resolve/main/config.json"
    for _ in range(3):
        reply = ask(hub.endpoint + path)
        assert (reply.status, reply.headers["Location"]) == (302, path)


def test_an_expired_address_is_refused_once_and_a_new_one_works(hub: RunningHub) -> None:
    address = signed(hub)
    hub.faults.append(Fault("expired_address"))
    assert ask(address).status == 403
    assert ask(signed(hub)).status == 200


def test_gzip_compresses_unasked(hub: RunningHub) -> None:
    hub.faults.append(Fault("gzip", where="cdn"))
    reply = ask(signed(hub), Range="bytes=0-999")
    assert reply.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(reply.body) == WEIGHTS[:1000]


def test_a_body_fault_waits_for_an_answer_with_a_body(hub: RunningHub) -> None:
    hub.faults.append(Fault("short_body", where="hub"))
    assert ask(weights_at(hub)).status == 302
    assert hub.faults[0].times == 1
    assert len(ask(config_at(hub)).body) == len(CONFIG) - 8
