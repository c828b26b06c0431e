"""Crawls of the hub's own list: by author, tag and downloads, without a request for each repo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.crawling import asked, crawl, failures, names, repos_of, said
from tests.hub import Fault, RunningHub, serve_in_thread
from tests.ingest import tiny


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHub]:
    """Ten of one author, downloaded 991 to 1,000 times; two of another with a tag, one of them gated."""
    repos = repos_of(range(10))
    repos |= tiny.repo("other/tagged", tiny.files(tiny.norms(20)), tags=("llama",), downloads=5)
    repos |= tiny.repo("other/gated", tiny.files(tiny.norms(21)), tags=("llama",), gated=True, downloads=4)
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setattr("ingest.crawl.targets.PER_PAGE", 4)
        monkeypatch.setattr("os.fsync", lambda _file: None)
        yield hub


@pytest.mark.slow
def test_all_of_an_author_are_read_through_all_pages_and_none_is_asked_for_by_itself(
    hub: RunningHub, data: Path
) -> None:
    assert crawl("--author", "lab") == 0
    assert names(data / "hub") == {f"lab--model-{number}" for number in range(10)}
    assert [path for path in asked(hub) if path.startswith("/api/")] == ["/api/models"] * 3


@pytest.mark.slow
def test_the_most_downloaded_come_first(hub: RunningHub, data: Path) -> None:
    assert crawl("--most", 3) == 0
    assert names(data / "hub") == {f"lab--model-{number}" for number in range(3)}
    assert crawl("--downloads", 999) == 0
    assert len(names(data / "hub")) == 3
    assert crawl("--downloads", 996) == 0
    assert len(names(data / "hub")) == 5
    assert hub.log


@pytest.mark.slow
def test_a_gated_repo_without_a_token_is_a_failure_that_costs_no_request(hub: RunningHub, data: Path) -> None:
    assert crawl("--tag", "llama") == 1
    assert names(data / "hub") == {"other--tagged"}
    assert failures(data, "hub") == {"other/gated": "gated or forbidden"}
    assert not any("gated" in path for path in asked(hub))


def test_a_list_by_which_nothing_is_meant_is_said_in_one_line(
    hub: RunningHub, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--author", "nobody") == 1
    assert said(capsys)[1] == [
        f"error: {hub.endpoint} lists no such model: check --author, --tag and --downloads"
    ]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault("instead", times=None, status=200, body=b"{}"), "is no list of repos"),
        (
            Fault("instead", times=None, status=200, body=b"[[]]"),
            "1 entry of the list cannot be repos: page 1: []",
        ),
        (Fault("instead", times=None, status=404, body=b""), "answered 404 instead of a list"),
        (
            Fault(
                "instead", times=None, status=200, body=b"[]", headers={"Link": '<http://evil/>; rel="next"'}
            ),
            "goes on at 'http://evil/'",
        ),
    ],
    ids=["object", "lists", "missing", "elsewhere"],
)
def test_a_list_that_is_none_is_refused(
    hub: RunningHub, capsys: pytest.CaptureFixture[str], fault: Fault, message: str
) -> None:
    hub.faults.append(fault)
    assert crawl("--author", "lab") == 1
    [line] = said(capsys)[1]
    assert message in line


@pytest.mark.parametrize("arguments", [[], ["repos.txt", "--author", "lab"]])
def test_a_list_or_a_choice_but_not_both(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert crawl(*arguments) == 1
    assert said(capsys)[1][0].startswith("error: ")
