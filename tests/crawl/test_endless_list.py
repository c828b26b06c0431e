"""Reading a hub's list ends whatever its next page is, and bad entries do not stop good ones."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from ingest.__main__ import main
from ingest.crawl.targets import Choice, oddity
from ingest.replica.messages import Answer, Request, in_json
from ingest.replica.repos import HubRepo
from tests.crawl.crawling import asked, crawl, failures, names, repos_of, said
from tests.hub import Fault, RunningHub, serve_in_thread
from warehouse.lake import lake_at
from warehouse.storage.commit import write_lock

PROJECT = Path(__file__).parents[2]
Capture = pytest.CaptureFixture[str]


@dataclass
class Pages:
    """A list with endless pages, or up to the last one; the test sets what is on each."""

    page: Callable[[int], list[object]]
    # how the address of the next page differs from this one's
    cursor: Callable[[int], int] = field(default=lambda number: number + 1)
    last: int | None = None

    def answer(self, request: Request) -> Answer:
        number = int(parse_qs(urlsplit(request.target).query).get("cursor", ["1"])[0])
        after = f'</api/models?cursor={self.cursor(number)}>; rel="next"'
        return in_json(self.page(number), {} if number == self.last else {"Link": after})


@pytest.fixture
def repos() -> dict[str, HubRepo]:
    return repos_of(range(6))


@pytest.fixture
def hub(repos: dict[str, HubRepo], monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHub]:
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setattr("os.fsync", lambda _file: None)
        yield hub


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> Callable[[Pages], None]:
    """Makes the hub answer with these pages."""

    def change(pages: Pages) -> None:
        monkeypatch.setattr(
            "ingest.replica.api._list_models", lambda _site, request, _token: pages.answer(request)
        )

    return change


Change = Callable[[Pages], None]


def entry(number: int, **others: object) -> dict[str, object]:
    return {"id": f"lab/model-{number}", **others}


def pages_asked(hub: RunningHub) -> int:
    return asked(hub).count("/api/models")


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_list_that_brings_nothing_new_ends_and_what_it_had_is_read(
    hub: RunningHub, listed: Change, data: Path, capsys: Capture
) -> None:
    further: list[list[object]] = [[], [entry(0), {}], [entry(1, id="LAB/MODEL-1")]]
    listed(Pages(lambda number: [entry(0), entry(1)] if number == 1 else further[number % 3]))
    assert crawl("--tag", "any") == 1
    assert names(data / "hub") == {"lab--model-0", "lab--model-1"}
    assert pages_asked(hub) == 1 + 3
    cut = "the list was read up to page 4 only: 3 pages in a row brought nothing new"
    assert cut in said(capsys)[0]


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_list_that_comes_back_to_a_page_it_had_ends(
    hub: RunningHub, listed: Change, data: Path, capsys: Capture
) -> None:
    listed(Pages(lambda number: [entry(number)], cursor=lambda number: number % 4 + 1))
    assert crawl("--tag", "any") == 1
    assert len(names(data / "hub")) == 4
    assert pages_asked(hub) == 5  # the first has an address of its own
    assert "the list was read up to page 5 only: it comes back to a page it had" in said(capsys)[0]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(("limit", "said_of_it"), [("REPOS", "4 repos"), ("PAGES", "4 pages")])
def test_a_list_ends_at_the_stated_maximum(
    hub: RunningHub,
    listed: Change,
    data: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    said_of_it: str,
) -> None:
    listed(Pages(lambda number: [entry(number)]))
    monkeypatch.setattr(f"ingest.crawl.targets.MOST_{limit}", 4)
    assert crawl("--tag", "any") == 1
    assert names(data / "hub") == {f"lab--model-{number}" for number in range(1, 5)}
    assert pages_asked(hub) <= 5
    assert f"it has more than {said_of_it}: choose some with --author" in "\n".join(said(capsys)[0])


@pytest.mark.timeout(60)
def test_an_endless_list_of_nothing_is_said_in_one_line(
    hub: RunningHub, listed: Change, capsys: Capture
) -> None:
    listed(Pages(lambda _number: []))
    assert crawl("--tag", "any") == 1
    [line] = said(capsys)[1]
    assert line == (
        f"error: {hub.endpoint} lists no such model: the list was read up to page 3 only: "
        f"3 pages in a row brought nothing new"
    )


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_how_long_a_list_is_already_is_said_while_it_is_read(
    hub: RunningHub, listed: Change, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed(Pages(lambda number: [entry(number)] if number < 4 else []))
    monkeypatch.setattr("ingest.crawl.targets.SECONDS_BETWEEN_LINES", 0.0)
    assert main(["crawl", "--tag", "any"]) == 1
    lines = said(capsys)[1]
    assert lines[0] == f"the list of {hub.endpoint} has 1 repo on 1 page so far"
    assert lines[2] == f"the list of {hub.endpoint} has 3 repos on 3 pages so far"


BAD: list[object] = [
    7,
    None,
    [],
    "lab/model-9",
    {},
    {"name": "lab/model-9"},
    entry(9, id=None),
    entry(9, id=7),
    entry(9, id={"a": []}),
    entry(9, id=""),
    entry(9, id="lab/model-9\x1b]0;owned\x07"),
    entry(9, id="lab/mo\ndel-9"),
    entry(9, id="\ud800/x"),
    entry(9, id="../../etc"),
    entry(9, id="a/b/c"),
    entry(9, id="x" * 9_000),
]


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
@pytest.mark.timeout(60)
def test_bad_entries_are_named_at_the_end_and_the_others_are_read(
    listed: Change, data: Path, capsys: Capture
) -> None:
    listed(Pages(lambda _number: [entry(0), *BAD, entry(1)], last=1))
    assert crawl("--tag", "any") == 1
    assert names(data / "hub") == {"lab--model-0", "lab--model-1"}
    *_, line = said(capsys)[0]
    assert line == (
        "16 entries of the list cannot be repos: page 1: 7, page 1: None, page 1: [], "
        "page 1: 'lab/model-9', page 1: {}, and 11 more"
    )


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: json.dumps(bad)[:30])
def test_a_bad_entry_is_described_in_a_short_printable_text(bad: object) -> None:
    described = oddity(bad, Choice())
    assert 0 < len(described) <= 100
    assert described.isprintable()


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
@pytest.mark.timeout(60)
def test_of_entries_that_tell_nonsense_the_hub_is_asked_again(listed: Change, data: Path) -> None:
    bad = [
        entry(0, sha=7, siblings=[]),
        entry(1, sha="0" * 39, siblings=[]),
        entry(2, sha="0" * 40, siblings=[7]),
        entry(3, sha="0" * 40, siblings=[{"rfilename": 7}]),
        entry(4, sha="0" * 40, siblings=[{"rfilename": "a", "size": -1}]),
        entry(5, siblings={}),
    ]
    listed(Pages(lambda _number: [*bad], last=1))
    assert crawl("--tag", "any") == 0
    assert names(data / "hub") == {f"lab--model-{number}" for number in range(6)}


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
def test_a_name_without_an_owner_is_a_repo_of_its_own_and_fails_alone(listed: Change, data: Path) -> None:
    """Some old repos have no owner."""
    listed(Pages(lambda _number: [{"id": "gpt9"}, entry(0)], last=1))
    assert crawl("--tag", "any") == 1
    assert names(data / "hub") == {"lab--model-0"}
    assert failures(data, "hub") == {"gpt9": "not on the hub, or private"}


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
def test_an_entry_without_a_number_of_downloads_does_not_end_a_list_by_downloads(
    listed: Change, data: Path, capsys: Capture
) -> None:
    many = [
        entry(0, downloads=9),
        entry(1),
        entry(2, downloads="9"),
        entry(3, downloads=8),
        entry(4, downloads=1),
    ]
    listed(Pages(lambda _number: [*many]))
    assert crawl("--downloads", 5) == 1
    assert names(data / "hub") == {"lab--model-0", "lab--model-3"}
    assert said(capsys)[0][-1].startswith(
        "2 entries of the list cannot be repos: page 1: lab/model-1 with None"
    )


@pytest.mark.slow
def test_files_beyond_what_is_remembered_cost_a_request_for_each_repo(
    hub: RunningHub, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.crawl.targets.MOST_FILES", 7)
    assert crawl("--author", "lab") == 0
    assert len(names(data / "hub")) == 6
    apart = [path for path in asked(hub) if path.startswith("/api/models/")]
    assert len(apart) == 4  # each has three files


@pytest.mark.slow
def test_while_a_list_is_read_the_lake_is_not_locked(data: Path, repos: dict[str, HubRepo]) -> None:
    with serve_in_thread(repos) as hub:
        slow = Fault("slow", wait=60, path="/api/models")
        hub.faults.append(slow)
        command = [sys.executable, "-m", "ingest", "crawl", "--author", "lab"]
        environment = {"HF_ENDPOINT": hub.endpoint, "NORMHOUSE_DATA": str(data), "PATH": ""}
        with subprocess.Popen(command, cwd=PROJECT, env=environment, stderr=subprocess.PIPE) as child:
            deadline = time.monotonic() + 30
            while slow.times and time.monotonic() < deadline:
                time.sleep(0.01)
            try:
                with write_lock(lake_at("hub")):
                    pass
            finally:
                child.kill()
    assert slow.times == 0
