"""Reading models from a hub over a real socket: what is asked for, what is stored, how the token travels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ingest.__main__ import main
from tests.hub import Fault, RunningHub, serve_in_thread
from tests.ingest import tiny
from tests.ingest.running import stored, tree

REPO = "some-lab/Tiny-1B"
TOKEN = "hf_secretsecretsecret"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHub]:
    with serve_in_thread(tiny.repo(REPO, tiny.files(tiny.norms(1)), licence="mit")) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv("NORMHOUSE_FIRST_WAIT", "0.01")
        yield hub


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
def test_every_norm_is_stored_exactly_and_the_alias_follows_from_the_name(data: Path) -> None:
    assert main(["hub", REPO]) == 0
    vectors = stored(data / "hub", "tiny_1b")
    expected = tiny.norms(1)
    assert vectors.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(vectors[name], values)


@pytest.mark.slow
def test_a_shard_costs_one_redirect_and_one_read_when_its_norms_stand_behind_the_header(
    hub: RunningHub,
) -> None:
    main(["hub", REPO])
    asked = [(entry.request.port, entry.status) for entry in hub.log]
    # model info, config, index, then for each of two shards a redirect and one range
    assert sorted(asked) == sorted([("hub", 200)] * 3 + [("hub", 302), ("cdn", 206)] * 2)


@pytest.mark.slow
def test_every_byte_is_read_at_the_commit_the_revision_had_at_first(hub: RunningHub) -> None:
    main(["hub", REPO])
    commit = hub.server.site.repos[REPO].commit
    resolved = [entry.request.path for entry in hub.log if "/resolve/" in entry.request.path]
    assert resolved
    assert all(f"/resolve/{commit}/" in path for path in resolved)


@pytest.mark.slow
def test_a_later_ingest_uses_the_locked_commit_until_told_to_update(hub: RunningHub, data: Path) -> None:
    main(["hub", REPO])
    first = hub.server.site.repos[REPO].commit
    assert f'"{REPO}@main": "{first}"' in (data.parent / "commits.lock.json").read_text()
    hub.server.site.repos = tiny.repo(REPO, tiny.files(tiny.norms(2)))
    second = hub.server.site.repos[REPO].commit
    before = tree(data / "hub")
    assert main(["hub", REPO]) == 0
    assert tree(data / "hub") == before
    assert main(["hub", REPO, "--update"]) == 0
    assert f'"{REPO}@main": "{second}"' in (data.parent / "commits.lock.json").read_text()
    np.testing.assert_array_equal(
        stored(data / "hub", "tiny_1b")["model.norm.weight"], tiny.norms(2)["model.norm.weight"]
    )


@pytest.mark.slow
def test_a_second_ingest_of_the_same_commit_asks_nothing_writes_nothing_and_says_so(
    hub: RunningHub, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["hub", REPO])
    asked, before = len(hub.log), tree(data)
    assert main(["hub", REPO]) == 0
    assert (len(hub.log), tree(data)) == (asked, before)
    assert "nothing written, 1 already there" in capsys.readouterr().out


@pytest.mark.slow
def test_a_single_file_model_without_an_index_is_read(hub: RunningHub, data: Path) -> None:
    content = tiny.files(tiny.norms(3), shards=1)
    single = {
        "config.json": content["config.json"],
        "model.safetensors": content["model-00001-of-00001.safetensors"],
    }
    hub.server.site.repos = tiny.repo(REPO, single)
    assert main(["hub", REPO]) == 0
    np.testing.assert_array_equal(
        stored(data / "hub", "tiny_1b")["model.norm.weight"], tiny.norms(3)["model.norm.weight"]
    )


@pytest.mark.slow
def test_a_header_longer_than_the_first_read_is_fetched_in_a_second_one(hub: RunningHub, data: Path) -> None:
    many = {f"model.layers.{i}.{'x' * 200}.weight": np.zeros(0, np.float32) for i in range(600)}
    tensors = tiny.norms(4) | many
    file = tiny.files(tensors, shards=1)["model-00001-of-00001.safetensors"]
    hub.server.site.repos = tiny.repo(REPO, {"model.safetensors": file})
    assert main(["hub", REPO]) == 0
    assert len([entry for entry in hub.log if entry.request.port == "cdn"]) == 3  # header, its rest, norms
    np.testing.assert_array_equal(
        stored(data / "hub", "tiny_1b")["model.norm.weight"], tiny.norms(4)["model.norm.weight"]
    )


@pytest.mark.slow
def test_norms_far_apart_are_read_one_by_one_and_near_ones_together(hub: RunningHub) -> None:
    first, *others = tiny.norms(5).items()
    matrix = np.zeros((300, 1000), np.float32)
    tensors = {"a.weight": matrix, **dict([first]), "b.weight": matrix, **dict(others)}
    hub.server.site.repos = tiny.repo(REPO, tiny.files(tensors, shards=1))
    assert main(["hub", REPO]) == 0
    ranges = [entry.request.headers["range"] for entry in hub.log if entry.request.port == "cdn"]
    assert len(ranges) == 3  # header, one norm, the other norms together
    assert sum(entry.sent for entry in hub.log if entry.request.port == "cdn") < 10_000


@pytest.mark.slow
def test_the_token_goes_to_the_hub_and_never_to_the_cdn_nor_into_any_output_or_file(
    hub: RunningHub, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.server.site.token = TOKEN
    hub.server.site.repos = tiny.repo(REPO, tiny.files(tiny.norms(1)), gated=True)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert main(["hub", REPO]) == 0
    sent = {entry.request.port: entry.request.headers.get("authorization") for entry in hub.log}
    assert sent == {"hub": f"Bearer {TOKEN}", "cdn": None}
    output = capsys.readouterr()
    assert " with a token" in output.err
    assert TOKEN not in output.out + output.err
    assert all(TOKEN.encode() not in path.read_bytes() for path in data.parent.rglob("*") if path.is_file())


@pytest.mark.slow
def test_the_stored_token_file_counts_unless_told_otherwise(
    hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "token").write_text(TOKEN + "\n")
    monkeypatch.setenv("HF_HOME", str(home))
    hub.server.site.token = TOKEN
    hub.server.site.repos = tiny.repo(REPO, tiny.files(tiny.norms(1)), private=True)
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    assert main(["hub", REPO]) == 1
    monkeypatch.delenv("HF_HUB_DISABLE_IMPLICIT_TOKEN")
    assert main(["hub", REPO]) == 0


@pytest.mark.slow
def test_a_redirect_to_a_foreign_host_is_followed_without_the_token(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with serve_in_thread(tiny.repo(REPO, tiny.files(tiny.norms(1))), redirect=False) as foreign:
        hub.faults.append(Fault("foreign_redirect", times=None, path="/resolve/", to=foreign.endpoint))
        assert main(["hub", REPO]) == 0
        assert foreign.log
        assert all("authorization" not in entry.request.headers for entry in foreign.log)


@pytest.mark.slow
def test_an_expired_address_is_renewed(hub: RunningHub) -> None:
    hub.faults.append(Fault("expired_address", times=2))
    assert main(["hub", REPO]) == 0
    assert [entry.status for entry in hub.log].count(403) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [
        Fault("server_error", times=2, status=503),
        Fault("server_error", times=1, status=500, where="cdn"),
        Fault("cut_connection", times=2, where="cdn"),
        Fault("cut_connection", times=1, path="index.json"),
        Fault("too_many_requests", times=1, wait=0),
        Fault("too_many_requests", times=2, wait=0, rate_limit_headers=False, retry_after=True, where="cdn"),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.where}",
)
def test_a_passing_fault_is_waited_out(hub: RunningHub, fault: Fault, data: Path) -> None:
    hub.faults.append(fault)
    assert main(["hub", REPO]) == 0
    assert fault.times == 0
    assert len(stored(data / "hub", "tiny_1b")) == 7


@pytest.mark.slow
def test_a_rate_limit_is_waited_for_as_its_header_says(
    hub: RunningHub, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.faults.append(Fault("too_many_requests", wait=1, path="/resolve/"))
    assert main(["hub", REPO]) == 0
    assert "asks to wait: continuing in 2 s" in capsys.readouterr().err


@pytest.mark.slow
def test_a_slow_answer_is_asked_for_again(hub: RunningHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_DOWNLOAD_TIMEOUT", "0.3")
    hub.faults.append(Fault("slow", wait=3, where="cdn"))
    assert main(["hub", REPO]) == 0


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
def test_one_models_failure_does_not_lose_the_others_and_shows_in_the_exit_code(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hub", REPO, "some-lab/nothing"]) == 1
    assert len(stored(data / "hub", "tiny_1b")) == 7
    output = capsys.readouterr()
    assert "error: nothing: no repo some-lab/nothing" in output.err
    assert "1 written, 0 already there, 1 failed" in output.out


@pytest.mark.slow
def test_a_snapshot_in_the_hugging_face_cache_is_read_when_offline(
    hub: RunningHub, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.cached(tmp_path / "cache", REPO, "0123456789abcdef0123456789abcdef01234567", 6)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert main(["hub", REPO]) == 0
    assert not hub.log
    vectors = stored(data / "hub", "tiny_1b")
    np.testing.assert_array_equal(vectors["model.norm.weight"], tiny.norms(6)["model.norm.weight"])


def test_online_a_cached_snapshot_of_the_same_commit_spares_all_but_one_request(
    hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.cached(tmp_path / "cache", REPO, hub.server.site.repos[REPO].commit, 1)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    assert main(["hub", REPO]) == 0
    assert [entry.request.path.startswith("/api/") for entry in hub.log] == [True]
