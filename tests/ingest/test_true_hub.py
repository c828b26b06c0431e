"""What the real hub does and the replica does not: quotas, renamed repos, prefixes, odd refusals."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import duckdb
import httpx
import numpy as np
import pytest

from ingest.__main__ import main
from ingest.hub.settings import HubSettings
from tests.hub import Fault, RunningHub, serve_in_thread
from tests.ingest import tiny
from tests.ingest.running import refused, stored
from tests.ingest.sockets import below_a_path, listening

REPO = "some-lab/Tiny-1B"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHub]:
    with serve_in_thread(tiny.repo(REPO, tiny.files(tiny.norms(1)))) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv("NORMHOUSE_FIRST_WAIT", "0.01")
        yield hub


def model_row(lake: Path, *columns: str) -> tuple[object, ...]:
    [row] = duckdb.execute(f"select {', '.join(columns)} from '{lake}/models/*.parquet'").fetchall()
    return tuple(row)


@pytest.mark.slow
def test_a_quota_is_met_by_waiting_and_the_job_succeeds(
    hub: RunningHub, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are more shards than two tries could fetch, so waiting requests must pause, too."""
    monkeypatch.setattr("ingest.hub.session.TRIES", 2)
    hub.server.site.repos = tiny.repo(REPO, tiny.files(tiny.norms(1, layers=12), shards=24))
    hub.server.site.redirect = False
    hub.faults.append(Fault("quota", times=None, extra=10, wait=1))
    assert main(["hub", REPO, "--quiet"]) == 0
    assert len(stored(data / "hub", "tiny_1b")) == 25
    statuses = [entry.status for entry in hub.log]
    # at most what is under way when a window is used up, in each window
    assert statuses.count(429) <= 24 * (len(statuses) - statuses.count(429)) / 10


FORBIDDEN = (
    b"<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Your region is blocked</Message>"
    b"<StringToSign>hf-secret</StringToSign></Error>"
)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (
            Fault("instead", status=403, body=FORBIDDEN),
            "refused 3 fresh addresses of it (status 403: AccessDenied: Your region is blocked)",
        ),
        (
            Fault("instead", status=403, body=b"Request has expired"),
            "as expired (status 403: Request has expired): check this machine's clock",
        ),
        (Fault("instead", status=404), "127.0.0.1, where the hub sent us for model-0000"),
        (
            Fault("instead", status=416, headers={"Content-Range": "bytes */999999"}),
            "of some-lab/Tiny-1B/model-0000",
        ),
        (
            Fault("instead", status=416, headers={"Content-Range": "bytes */0"}),
            "the file has 0 bytes, too few for a header",
        ),
        (Fault("instead", status=200), "the file has 0 bytes, too few for a header"),
    ],
)
def test_a_refusal_of_the_storage_says_what_it_is(
    hub: RunningHub, data: Path, capsys: Capture, fault: Fault, message: str
) -> None:
    fault.times, fault.where = None, "cdn"
    hub.faults[:] = [fault]
    line = refused(capsys, data / "hub", "hub", REPO)
    assert message in line
    assert "secret" not in line
    assert ("clock" in line) == ("expired" in line)
    assert "is private" not in line


def test_an_empty_file_of_the_hub_is_said_to_be_empty(hub: RunningHub, data: Path, capsys: Capture) -> None:
    hub.server.site.repos = tiny.repo(REPO, {"model.safetensors": b""})
    assert "the file has 0 bytes, too few" in refused(capsys, data / "hub", "hub", REPO)


@pytest.mark.slow
@pytest.mark.parametrize("knows_its_prefix", [False, True])
def test_an_endpoint_with_a_path_keeps_it_through_relative_redirects(
    hub: RunningHub, data: Path, monkeypatch: pytest.MonkeyPatch, knows_its_prefix: bool
) -> None:
    """The hub redirects to its own address."""
    hub.faults.append(Fault("renamed", times=None, path="Tiny-1B", to="Now-2B", where="hub"))
    hub.server.site.repos = tiny.repo("some-lab/Now-2B", tiny.files(tiny.norms(1)))
    with below_a_path(int(hub.endpoint.rpartition(":")[2]), "/hf", is_told=knows_its_prefix) as endpoint:
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        assert main(["hub", REPO, "--quiet"]) == 0
    assert len(stored(data / "hub", "tiny_1b")) == 7


@pytest.mark.slow
def test_metadata_that_is_null_is_accepted_as_by_the_library(hub: RunningHub, data: Path) -> None:
    content = tiny.files(tiny.norms(1))
    plain = b'"__metadata__": {"format": "pt"}'
    for name in content:
        content[name] = content[name].replace(plain, b'"__metadata__": null'.ljust(len(plain)))
    hub.server.site.repos = tiny.repo(REPO, content)
    assert main(["hub", REPO, "--quiet"]) == 0
    assert len(stored(data / "hub", "tiny_1b")) == 7


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "alias"), [("old-lab/Old-1B", "old_1b"), ("gpt2", "gpt2")])
def test_a_renamed_repo_is_stored_under_both_names_with_its_sizes(
    hub: RunningHub, data: Path, asked: str, alias: str
) -> None:
    """Also for the last shard, which has no norms and is not read."""
    content = tiny.files(tiny.norms(1) | {"a.weight": np.ones(8, np.float32)}, shards=8)
    hub.server.site.repos = tiny.repo(REPO, content)
    hub.faults.append(Fault("renamed", times=None, path=f"/{asked}/", to=f"/{REPO}/"))
    assert main(["hub", asked, "--quiet"]) == 0
    size = sum(len(file) for name, file in content.items() if name.endswith("tensors"))
    columns = ("model", "repo", "renamed_to", "file_bytes")
    assert model_row(data / "hub", *columns) == (alias, asked, REPO, size)
    assert f'"{asked}@main"' in (data.parent / "commits.lock.json").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("source", ["HF_TOKEN", "file"])
def test_no_token_is_sent_where_implicit_tokens_are_switched_off(
    hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    if source == "file":
        (tmp_path / "token").write_text("hf_secret")
        monkeypatch.setenv("HF_TOKEN_PATH", str(tmp_path / "token"))
    else:
        monkeypatch.setenv("HF_TOKEN", "hf_secret")
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    assert main(["hub", REPO, "--quiet"]) == 0
    assert all("authorization" not in entry.request.headers for entry in hub.log)


@pytest.mark.slow
@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"])
def test_offline_auto_reads_a_complete_cache(
    hub: RunningHub, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    tiny.cached(tmp_path / "cache", REPO, COMMIT, 6)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(variable, "1")
    assert main(["auto", REPO, "--quiet"]) == 0
    assert not hub.log
    np.testing.assert_array_equal(
        stored(data / "hub", "tiny_1b")["model.norm.weight"], tiny.norms(6)["model.norm.weight"]
    )


@pytest.mark.slow
def test_the_hubs_own_offline_variable_outweighs_that_of_transformers(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "1")
    assert main(["hub", REPO, "--quiet"]) == 0
    assert hub.log


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damaged", "content"),
    [
        ("model.safetensors.index.json", b"{"),
        ("model.safetensors.index.json", b'{"weight_map": {"a": []}}'),
        ("config.json", b"[]"),
    ],
)
def test_a_damaged_cache_is_read_again_from_the_hub_and_an_error_offline(
    hub: RunningHub,
    tmp_path: Path,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    damaged: str,
    content: bytes,
) -> None:
    snapshot = tiny.cached(tmp_path / "cache", REPO, hub.server.site.repos[REPO].commit, 1)
    (snapshot / damaged).write_bytes(content)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert "HF_HUB_OFFLINE is set, so it cannot be" in refused(capsys, data / "hub", "hub", REPO)
    monkeypatch.delenv("HF_HUB_OFFLINE")
    assert main(["hub", REPO, "--quiet"]) == 0
    assert any(damaged in entry.request.path for entry in hub.log)


@pytest.mark.slow
@pytest.mark.parametrize("is_locked", [False, True])
@pytest.mark.parametrize("how", ["cut", "header", "emptied", "a folder"])
def test_a_damaged_cached_shard_is_said_and_the_model_read_from_the_hub(
    hub: RunningHub,
    tmp_path: Path,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    how: str,
    is_locked: bool,
) -> None:
    commit = hub.server.site.repos[REPO].commit
    snapshot = tiny.cached(tmp_path / "cache", REPO, commit, 1)
    shard = snapshot / "model-00002-of-00002.safetensors"
    whole = shard.read_bytes()
    if how == "a folder":
        shard.unlink()
        shard.symlink_to(tmp_path)
    else:
        shard.write_bytes({"cut": whole[:-3], "header": whole[:9] + b"?" + whole[10:], "emptied": b""}[how])
    if is_locked:
        data.mkdir(parents=True)
        (data.parent / "commits.lock.json").write_text(f'{{"{REPO}@main": "{commit}"}}')
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    assert main(["hub", REPO, "--quiet"]) == 0
    said = capsys.readouterr().err
    if how != "a folder":  # a folder instead of the file: the cache is not complete
        assert "its copy in the Hugging Face cache cannot be read (" in said
        assert said.endswith("; reading it from the hub\n")
        assert said.count("\n") == 1
    for name, values in tiny.norms(1).items():
        np.testing.assert_array_equal(stored(data / "hub", "tiny_1b")[name], values)


def test_a_damaged_cached_shard_offline_is_an_error(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    snapshot = tiny.cached(tmp_path / "cache", REPO, COMMIT, 1)
    (snapshot / "model-00002-of-00002.safetensors").write_bytes(b"")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert "the file has 0 bytes, too few" in refused(capsys, data / "hub", "hub", REPO)


@pytest.mark.parametrize("token", ["", "hf_right"])
@pytest.mark.parametrize(
    ("asked", "hint"),
    [("solr", "; did you mean solar?"), ("glmm", "; did you mean glm?"), ("bert", "; the aliases here are")],
)
def test_a_name_without_an_owner_that_is_near_an_alias_is_asked_back(
    hub: RunningHub,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    asked: str,
    hint: str,
    token: str,
) -> None:
    """Names without an owner (gpt2) are valid; for unknown ones the hub answers 404, or 401 without token."""
    monkeypatch.setenv("HF_TOKEN", token)
    line = refused(capsys, data / "hub", "hub", asked)
    assert hint in line
    assert [entry.status for entry in hub.log] == [404 if token else 401]


def test_an_alias_in_other_letters_is_asked_back(data: Path, capsys: Capture) -> None:
    assert "; or did you mean glm?" in refused(capsys, data / "hub", "hub", "GLM")


def test_a_name_near_an_alias_is_asked_back_also_where_no_hub_answers(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("NORMHOUSE_FIRST_WAIT", "0.01")
    assert "does not have solr; did you mean solar?" in refused(capsys, data / "hub", "auto", "solr")


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("https://huggingface.co/x", True),
        ("https://huggingface.co:443/x", True),
        ("https://hf.co/x", True),
        ("https://huggingface.co:8443/x", False),
        ("http://huggingface.co/x", False),
        ("https://mirror.example:7/x", True),
        ("https://mirror.example/x", False),
        ("https://mirror.example:8/x", False),
        ("https://cdn-lfs.huggingface.co/x", False),
    ],
)
def test_the_token_is_for_the_endpoints_own_port_and_the_hubs_hosts_at_theirs(
    address: str, may: bool
) -> None:
    settings = HubSettings(endpoint="https://mirror.example:7", token="hf_secret")
    assert settings.may_see_token(httpx.URL(address)) is may


def test_the_token_does_not_follow_a_redirect_to_another_port_of_the_hubs_host(
    hub: RunningHub, data: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads: list[bytes] = []

    def talk(connection: socket.socket, _over: object) -> None:
        heads.append(connection.recv(4_096))
        connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")

    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with listening(talk) as port:
        hub.faults.append(Fault("foreign_redirect", times=None, to=f"http://127.0.0.1:{port}"))
        refused(capsys, data / "hub", "hub", REPO)
    assert heads
    assert not any(b"hf_secret" in head for head in heads)
