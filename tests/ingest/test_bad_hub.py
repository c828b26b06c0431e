"""After any error of a hub there is one line, exit code 1, and an unchanged lake."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.__main__ import main
from ingest.origin_marks import REPLICA_TAG
from tests.hub import Fault, RunningHub, serve_in_thread
from tests.ingest import tiny
from tests.ingest.headers import entry, file_bytes
from tests.ingest.running import refused

REPO = "some-lab/Tiny-1B"
GOOD = "some-lab/Good-1B"
INDEX = "model.safetensors.index.json"


@pytest.fixture(scope="module")
def good_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one ingested repo."""
    folder = tmp_path_factory.mktemp("good") / "data"
    with (
        serve_in_thread(tiny.repo(GOOD, tiny.files(tiny.norms(1)))) as hub,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("HF_ENDPOINT", hub.endpoint)
        patch.setenv("NORMHOUSE_DATA", str(folder))
        assert main(["hub", GOOD, "--quiet"]) == 0
    return folder


@pytest.fixture
def hub(good_data: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHub]:
    """A hub with one good repo, already ingested, and one that each test makes bad in its own way."""
    shutil.copytree(good_data, data, symlinks=True)
    repos = tiny.repo(GOOD, tiny.files(tiny.norms(1))) | tiny.repo(REPO, tiny.files(tiny.norms(2)))
    with serve_in_thread(repos, token="hf_right", unapproved_token="hf_unapproved") as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv("NORMHOUSE_FIRST_WAIT", "0.01")
        yield hub


@pytest.fixture
def lake(data: Path) -> Path:
    return data / "hub"


Capture = pytest.CaptureFixture[str]


def serve(hub: RunningHub, files: Mapping[str, bytes], **settings: bool) -> None:
    hub.server.site.repos = tiny.repo(REPO, files, **settings)


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
def test_no_such_repo(lake: Path, capsys: Capture) -> None:
    line = refused(capsys, lake, "hub", "some-lab/nothing")
    assert "no repo some-lab/nothing" in line
    assert "no token was sent" in line


@pytest.mark.usefixtures("hub")
def test_no_such_revision(lake: Path, capsys: Capture) -> None:
    assert "has no revision v9" in refused(capsys, lake, "hub", f"{REPO}@v9")


def test_a_gated_repo_without_a_token_with_one_not_let_in_and_with_a_wrong_one(
    hub: RunningHub, lake: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(hub, tiny.files(tiny.norms(2)), gated=True)
    line = refused(capsys, lake, "hub", REPO)
    assert "is gated (no token was sent): accept its terms at" in line
    monkeypatch.setenv("HF_TOKEN", "hf_unapproved")
    assert "is gated (a token was sent)" in refused(capsys, lake, "hub", REPO)
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    assert "does not accept the token" in refused(capsys, lake, "hub", REPO)


def test_no_safetensors_in_the_repo(hub: RunningHub, lake: Path, capsys: Capture) -> None:
    serve(hub, {"config.json": b"{}", "pytorch_model.bin": b"x"})
    line = refused(capsys, lake, "hub", REPO)
    assert "has no model.safetensors.index.json, no model.safetensors and no GGUF model" in line
    assert "pytorch_model.bin is a pickle, which runs code when it is read" in line
    serve(hub, {"adapter_config.json": b"{}", "adapter_model.safetensors": b"x"})
    assert "an adapter, which has no norms of its own" in refused(capsys, lake, "hub", REPO)
    serve(hub, {"consolidated.safetensors": b"x"})
    assert "(only consolidated.safetensors)" in refused(capsys, lake, "hub", REPO)


def test_no_norms_in_the_model(hub: RunningHub, lake: Path, capsys: Capture) -> None:
    serve(hub, tiny.files({"a.weight": tiny.norms(1)["model.norm.weight"]}, shards=1))
    assert "has no norm tensors" in refused(capsys, lake, "hub", REPO)


@pytest.mark.slow
def test_a_hub_that_is_not_there_is_said_once_and_within_ten_seconds(
    lake: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    started = time.monotonic()
    line = refused(capsys, lake, "hub")
    assert "cannot reach http://127.0.0.1:9" in line
    assert "just ingest replica" in line
    assert time.monotonic() - started < 10


@pytest.mark.usefixtures("hub")
def test_offline_without_a_cache(lake: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "yes")
    assert "HF_HUB_OFFLINE is set" in refused(capsys, lake, "hub", REPO)


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("HF_ENDPOINT", "huggingface.co", "HF_ENDPOINT is not an address"),
        ("HF_TOKEN", "hf_\nx y", "has characters no token has"),
        ("HF_HUB_DOWNLOAD_TIMEOUT", "soon", "must be a number of seconds"),
    ],
)
@pytest.mark.usefixtures("hub")
def test_a_setting_that_makes_no_sense(
    lake: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, message: str
) -> None:
    monkeypatch.setenv(variable, value)
    line = refused(capsys, lake, "hub", REPO)
    assert message in line
    assert "x y" not in line


FAULTS = [
    ("gave up on .* after 5 tries .last: status 503.*try again later", Fault("server_error", times=None)),
    (
        "after 5 tries .last: status 429.*set HF_TOKEN",
        Fault(
            "too_many_requests",
            times=None,
            wait=0,
            path="/resolve/",
            rate_limit_headers=False,
            retry_after=True,
        ),
    ),
    ("after 1 try .last: status 429, which asks to wait 4001 s", Fault("too_many_requests", wait=4000)),
    ("after 5 tries .last: .*without sending complete", Fault("cut_connection", times=None, where="cdn")),
    ("got .* bytes with Content-Range", Fault("short_body", times=None, where="cdn")),
    ("with Content-Range 'bytes 0-", Fault("short_range", times=None, where="cdn")),
    ("got .* bytes with Content-Range", Fault("long_body", times=None, where="cdn")),
    ("sent more than the .* bytes asked for", Fault("long_body", times=None, where="cdn", extra=4000)),
    ("expected 206 for bytes 0-.* got 200", Fault("ok_to_range", times=None, where="cdn")),
    ("with Content-Range 'bytes 8-", Fault("wrong_content_range", times=None, where="cdn")),
    ("redirects in a loop", Fault("redirect_loop", times=None, path="/resolve/")),
    ("refused 3 fresh addresses", Fault("expired_address", times=None)),
    ("came back as gzip", Fault("gzip", times=None, path="config.json")),
    ("answered 418", Fault("server_error", times=None, status=418)),
]


@pytest.mark.parametrize(
    ("message", "fault"), FAULTS, ids=[f"{fault.kind}-{fault.status}-{fault.extra}" for _, fault in FAULTS]
)
def test_a_fault_that_does_not_pass(
    hub: RunningHub, lake: Path, capsys: Capture, message: str, fault: Fault
) -> None:
    hub.faults.append(fault)
    line = refused(capsys, lake, "hub", REPO)
    assert re.search(message, line), line
    assert "signature" not in line.lower()


@pytest.mark.slow
def test_an_answer_that_never_comes(
    hub: RunningHub, lake: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_DOWNLOAD_TIMEOUT", "0.1")
    hub.faults.append(Fault("slow", times=None, wait=30, where="cdn"))
    assert "after 5 tries (last: timed out)" in refused(capsys, lake, "hub", REPO)


def test_an_endpoint_that_is_no_hub(hub: RunningHub, lake: Path, capsys: Capture) -> None:
    """A captive portal answers every request, but not as a hub does."""
    hub.faults.append(
        Fault("foreign_redirect", times=None, to=f"{hub.endpoint}/{GOOD}/resolve/main/config.json?")
    )
    line = refused(capsys, lake, "hub", REPO)
    assert "redirects in a loop" in line or "did not name a commit" in line


BAD_FILES: dict[str, dict[str, bytes]] = {
    "index.json is not valid JSON": {INDEX: b"{"},
    "index.json is not a JSON object": {INDEX: b"[]"},
    "has no weight_map": {INDEX: b"{}"},
    "config.json is not valid JSON": {"config.json": b"\xff"},
    "names gone.safetensors, which is not there": {
        INDEX: json.dumps({"weight_map": {"a": "gone.safetensors"}}).encode()
    },
    "names the shard '../x.safetensors'": {
        INDEX: json.dumps({"weight_map": {"a": "../x.safetensors"}}).encode()
    },
    "names the shard '/etc/x.safetensors'": {
        INDEX: json.dumps({"weight_map": {"a": "/etc/x.safetensors"}}).encode()
    },
    "names the shard 'a/../../x.safetensors'": {
        INDEX: json.dumps({"weight_map": {"a": "a/../../x.safetensors"}}).encode()
    },
    "names the shard 'C:": {INDEX: json.dumps({"weight_map": {"a": "C:\\x.safetensors"}}).encode()},
    "names the shard 'passwd'": {INDEX: json.dumps({"weight_map": {"a": "passwd"}}).encode()},
    "names the shard 7": {INDEX: json.dumps({"weight_map": {"a": 7}}).encode()},
}
SHARD = "model-00001-of-00001.safetensors"


@pytest.mark.parametrize(("message", "files"), BAD_FILES.items(), ids=BAD_FILES.keys())
def test_a_bad_index_or_config(
    hub: RunningHub, lake: Path, capsys: Capture, message: str, files: dict[str, bytes]
) -> None:
    serve(hub, tiny.files(tiny.norms(2)) | files)
    assert message in refused(capsys, lake, "hub", REPO)


NORM = "model.norm.weight"
BAD_SHARDS = {
    "over the format's limit": (10**9).to_bytes(8, "little") + b"{}",
    "not valid JSON": file_bytes(b"{{{{"),
    "leaves a hole": file_bytes({NORM: entry("F32", [1], 4, 8)}, bytes(8)),
    "overlaps": file_bytes({NORM: entry("F32", [2], 0, 8), "b": entry("F32", [1], 4, 8)}, bytes(8)),
    "tensors end at byte": file_bytes({NORM: entry("F32", [9], 0, 36)}, bytes(8)),
    "unknown dtype": file_bytes({NORM: entry("F99", [2], 0, 8)}, bytes(8)),
    "does not fill": file_bytes({NORM: entry("F32", [3], 0, 8)}, bytes(8)),
    "is stored as I32": file_bytes({NORM: entry("I32", [2], 0, 8)}, bytes(8)),
    "lacks model.norm.weight, which the index says": file_bytes({"b": entry("F32", [2], 0, 8)}, bytes(8)),
}


@pytest.mark.parametrize(("message", "shard"), BAD_SHARDS.items(), ids=BAD_SHARDS.keys())
def test_a_bad_shard(hub: RunningHub, lake: Path, capsys: Capture, message: str, shard: bytes) -> None:
    index = json.dumps({"weight_map": {NORM: SHARD}}).encode()
    serve(hub, {INDEX: index, SHARD: shard})
    line = refused(capsys, lake, "hub", REPO)
    assert message in line
    assert SHARD in line or NORM in line


def test_replica_rows_never_enter_a_lake_of_the_hub(hub: RunningHub, lake: Path, capsys: Capture) -> None:
    """Even when HF_ENDPOINT points at a replica hub."""
    repo = hub.server.site.repos[REPO]
    hub.server.site.repos = {REPO: replace(repo, tags=(REPLICA_TAG,))}
    assert "sources never mix" in refused(capsys, lake, "hub", REPO)
