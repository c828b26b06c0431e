"""What a crawl knows about each repo: stored, a duplicate, or failed, and why.

Failures, and duplicates that are not yet in their table, are kept between crawls: each event is a line of
`data/.crawl/<lake>/state.jsonl`, so a killed crawl loses none. At the end that file is rewritten without
outdated events, and `failures.csv` beside it for people.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from ingest.crawl.targets import Target
from ingest.registry import registry
from warehouse.duplicates import store_duplicates
from warehouse.errors import AccessDenied, FormatError, LakeError, NormhouseError, NotOnHub, UsageError
from warehouse.lake import Lake, write_text_atomically
from warehouse.paths import data_root
from warehouse.rows import ModelRow

FOLDER = ".crawl"

# Failures that would occur again. The next crawl retries the others.
PERMANENT: dict[type[NormhouseError], str] = {
    NotOnHub: "not on the hub, or private",
    AccessDenied: "gated or forbidden",
    FormatError: "no readable model",
    UsageError: "not for this lake",
}
TEMPORARY = "could not be read this time"


@dataclass(frozen=True)
class Failure:
    """Why a repo is not in the lake."""

    repo: str
    kind: str
    reason: str
    at: str

    @property
    def is_permanent(self) -> bool:
        return self.kind != TEMPORARY


def failure_of(repo: str, error: NormhouseError) -> Failure:
    kind = next((words for known, words in PERMANENT.items() if isinstance(error, known)), TEMPORARY)
    return Failure(repo, kind, str(error), datetime.now(UTC).isoformat(timespec="seconds"))


def state_of(lake: Lake) -> CrawlState:
    return CrawlState(lake, data_root() / FOLDER / lake.name)


class CrawlState:
    """The state of one lake. Use it while holding the lake's write lock."""

    def __init__(self, lake: Lake, folder: Path) -> None:
        self._lake = lake
        self._file = folder / "state.jsonl"
        self.failures_file = self._file.with_name("failures.csv")
        self.failures: dict[str, Failure] = {}
        """By repo in lower case."""
        self.duplicates: dict[str, ModelRow] = {}
        """By name in the lake, if not yet in their table."""
        for event in _events(self._file):
            # an edited line is ignored, and its repo read again
            with suppress(ValueError, TypeError, KeyError, AttributeError):
                self._apply(event)

    def add_failure(self, failure: Failure) -> None:
        self._happened({"failed": asdict(failure)})

    def add_duplicate(self, row: ModelRow) -> None:
        self._happened({"duplicate": {**asdict(row), "ingested_at": row.ingested_at.isoformat()}})

    def add_done(self, repo: str) -> None:
        """Notes a repo that failed before and is stored now."""
        if repo.lower() in self.failures:
            self._happened({"done": repo})

    def flush(self) -> None:
        """Moves duplicates into their table and rewrites both files."""
        if self.duplicates:
            store_duplicates(self._lake, self.duplicates.values())
            self.duplicates.clear()
        lines = [json.dumps({"failed": asdict(failure)}) + "\n" for failure in self.failures.values()]
        write_text_atomically(self._file, "".join(lines))
        text = io.StringIO()
        rows = csv.DictWriter(text, ("repo", "kind", "reason", "at"), lineterminator="\n")
        rows.writeheader()
        rows.writerows(asdict(failure) for _, failure in sorted(self.failures.items()))
        write_text_atomically(self.failures_file, text.getvalue())

    def _happened(self, event: dict[str, Any]) -> None:
        self._apply(event)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="utf-8") as file:
                # starts a new line, in case the last one was cut short
                file.write("\n" + json.dumps(event))
        except OSError as error:
            raise LakeError(
                f"cannot write {self._file} ({error.strerror}): check the folder's rights and space"
            ) from error

    def _apply(self, event: dict[str, Any]) -> None:
        if failed := event.get("failed"):
            self.failures[failed["repo"].lower()] = Failure(**failed)
        elif row := event.get("duplicate"):
            at = datetime.fromisoformat(row["ingested_at"])
            self.duplicates[row["model"]] = ModelRow(**{**row, "ingested_at": at})
            self.failures.pop(row["repo"].lower(), None)
        elif done := event.get("done"):
            self.failures.pop(done.lower(), None)


def _events(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text("utf-8", errors="replace").splitlines() if file.exists() else ():
        try:
            event = json.loads(line)
        except ValueError:
            continue  # cut short
        if isinstance(event, dict):
            yield event


BETWEEN = "--"
LONGEST = 100
LONGEST_START = 70
DIGITS = 16
# names that begin with a digit get the prefix `m_`, so no owner may begin with both
PLAIN = re.compile(r"(?!m_\d)[a-z0-9](?:[a-z0-9_.-]*[a-z0-9_.])?")


def model_key(repo: str) -> str:
    """The name of a repo's model: the registry's alias, or `qwen--qwen2.5-0.5b` for `Qwen/Qwen2.5-0.5B`.

    Lower case, because file systems and the hub ignore case. No two repos share a name: the hub allows no
    `--` in names, and repos for which this is not enough get a digest at the end.
    """
    repo = repo.lower()
    known = {model.repo.lower(): alias for alias, model in registry().items()}
    if repo in known:
        return known[repo]
    parts = repo.split("/")
    key = BETWEEN.join(parts)
    key = f"m_{key}" if key[0].isdigit() else key
    is_plain = len(parts) == 2 and all(PLAIN.fullmatch(part) and BETWEEN not in part for part in parts)
    return key if is_plain and len(key) <= LONGEST else other_key(repo)


def other_key(repo: str) -> str:
    """The name for a repo without a plain key, or if the plain key is another model's --alias.

    It has `--` twice; a plain key has it once.
    """
    text = repo.lower()
    start = re.sub(r"[^a-z0-9_.]+", "-", text)[:LONGEST_START].strip("-.")
    return f"x{BETWEEN}{start}{BETWEEN}{sha256(text.encode()).hexdigest()[:DIGITS]}"


@dataclass
class Seen:
    """The models of a lake by repo, name and digest of their norms. Repos are in lower case.

    A repo is done if a model of the lake was read from it, or if it is a duplicate of a stored model.
    """

    # by repo: name in the lake, and commit
    by_repo: dict[str, tuple[str, str]] = field(default_factory=dict)
    # the repo of each stored model
    stored: dict[str, str] = field(default_factory=dict)
    # by digest of the norms: the stored model
    holders: dict[str, str] = field(default_factory=dict)

    def add_stored(self, model: str, repo: str, commit: str, norms_digest: str | None) -> None:
        self.stored[model] = repo.lower()
        self.by_repo[repo.lower()] = model, commit
        if norms_digest:
            self.holders.setdefault(norms_digest, model)

    def add_duplicate(self, row: ModelRow) -> None:
        self.by_repo.setdefault(row.repo.lower(), (row.model, row.commit))

    def is_done(self, target: Target, *, update: bool) -> bool:
        """Whether no request is needed; with `update`, only if the hub's list has the same commit."""
        _, commit = self.by_repo.get(target.repo.lower(), ("", ""))
        return bool(commit) and (not update or (target.info is not None and target.info.commit == commit))

    def has(self, repo: str, commit: str | None) -> bool:
        return self.by_repo.get(repo.lower(), ("", ""))[1] == commit

    def name_of(self, target: Target) -> str:
        """The name of the model in the lake, also before it is stored."""
        repo = target.repo.lower()
        if repo in self.by_repo:
            return self.by_repo[repo][0]
        key = model_key(repo)
        return key if self.stored.get(key, repo) == repo else other_key(repo)


def seen_in(lake: Lake, duplicates: Iterable[ModelRow]) -> Seen:
    """What a lake has. A duplicate counts only while a stored model has its norms."""
    seen = Seen()
    for model, repo, commit, norms_digest in lake.columns("model", "repo", "commit", "norms_digest"):
        seen.add_stored(model, repo, commit, norms_digest)
    for row in duplicates:
        if row.norms_digest in seen.holders:
            seen.add_duplicate(row)
    return seen
