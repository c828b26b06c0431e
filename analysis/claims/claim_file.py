"""Reads claim files: a comment header, then one query that judges some items.

This is the contract for authors of claims. `sql/claims/<group>/<name>.sql` has the id `<group>.<name>`:

    -- id: sionic.d2_1
    -- title: what is claimed, in our words, in one line
    -- documents: sionic_ko, sionic_en      keys of `documents`
    -- section: D-2.1                       where in them
    -- evidence: weights                    weights, slices, toy, printed, analytic or untestable
    -- needs: solar, glm                    the models that the query cannot do without; may be empty
    -- version: 1                           raise it with every change of the query's tokens
    -- reading: how vague words became a condition, which layers and norm are meant, where a tolerance
    --   comes from when it is not half of the last printed digit; what each further reading is.
    --   Lines indented by three continue.
    -- history: v2: why the query changed   one line per version above 1

The query is one select and runs alone in the shell of DuckDB 1.5 and 2.0 (so no parameters and no lambdas);
`just lint` knows its style, and the file has about 80 lines, at most 100. It returns one row per reading of
an item, in the order of the document, in one of two forms:

    item, reading, expected, tolerance, observed    numbers; abs(observed - expected) <= tolerance is checked
    item, reading, statement, holds, observed       a sentence, whether it holds, the number that decides it

- An item is a row of `sql/documents/items.csv`; each belongs to exactly one claim of the same evidence (or is
  there called a definition). Its verdict comes from its readings (analysis/claims/results.py).
- Every item has the reading `plain`: what its author most likely meant, hedges included. Add another reading,
  under a short name, only where a fair reader may hold it; none is stricter than the words. A figure that is
  cut off is as fair as one that is rounded.
- Expected figures come from `printed` (value, and half_digit as the tolerance), never from literals. A
  figure printed more than once is one row after `select distinct` on item, value and half_digit.
- Begin with the printed rows and `left join` what is observed: a figure that cannot be computed then shows
  as undefined (observed is NULL) instead of vanishing. Do not coalesce to 0. What nothing here can decide
  returns NULL for holds and observed, and the statement says why.
- A claim about k_proj and v_proj adds the word `projections` to what it needs.
- `weights` and `toy` claims read the views of the lake, `printed` claims only `printed`, `analytic` ones
  compute what they show. `slices` claims are about embeddings, routers or k/v projections. `untestable`
  ones decide nothing: holds and observed are NULL, and the statement says why. Verdicts are the runner's
  business: a query never checks where its data comes from.

A finding, `sql/findings/<name>.sql`, has the same form under the id `findings.<name>`: an inference of ours,
shown when all its checks hold. Its items are names of its own, its documents those whose figures it uses.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

from warehouse.catalog.definitions import SQL
from warehouse.documents import documents as known_documents
from warehouse.errors import NormhouseError

CLAIMS = SQL / "claims"
FINDINGS = SQL / "findings"

Evidence = Literal["weights", "slices", "toy", "printed", "analytic", "untestable"]
PROJECTIONS = "projections"

_FIELDS = ("id", "title", "documents", "section", "evidence", "needs", "version", "reading", "history")
_MAY_BE_EMPTY = {"documents", "needs", "reading"}
_FIELD = re.compile(r"-- ([a-z_]+):(?: +(.*))?")
_CONTINUED = re.compile(r"--   +(.+)")
_NAME = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
_ALIAS = re.compile(r"[a-z0-9_]+")
_TOKEN = re.compile(
    r"""
    --[^\n]* | /\*.*?\*/ | \s+                # comments and white space: no part of group 1
    | ( '(?:[^']|'')*' | "(?:[^"]|"")*"        # texts and quoted names
      | \w+ | [(),\[\]{}]
      | (?:(?!--|/\*)[^\s\w'"(),\[\]{}])+      # operators, also of several signs
      | . )
    """,
    re.DOTALL | re.VERBOSE,
)


class BrokenClaim(NormhouseError):
    """A claim file that cannot be run; the message says what to change in it."""


@dataclass(frozen=True)
class Claim:
    """One claim file, read and checked."""

    id: str
    title: str
    documents: tuple[str, ...]
    section: str
    evidence: Evidence
    needs: tuple[str, ...]
    version: int
    reading: str
    history: tuple[str, ...]
    query: str

    @property
    def group(self) -> str:
        return self.id.partition(".")[0]

    @property
    def sha256(self) -> str:
        """Of the query's tokens only, so that comments and layout may change without a new version."""
        return hashlib.sha256(" ".join(_tokens(self.query)).encode()).hexdigest()


@dataclass(frozen=True)
class Broken:
    """A claim that gave no result: its id, or the id that its path implies, and the reason."""

    name: str
    reason: str


def claim_names(sql: Path = SQL) -> list[str]:
    """The ids of all claims and findings, from their paths alone."""
    return [_name_of(path) for folder in (CLAIMS, FINDINGS) for path in _paths(sql / folder.name)]


def read_claims(
    root: Path = CLAIMS, names: Collection[str] | None = None
) -> tuple[list[Claim], list[Broken]]:
    """The claims or findings below `root` in the order of their paths, and the files that cannot be read.

    With `names`, only the files of those ids are opened.
    """
    claims, broken = [], []
    for path in _paths(root):
        name = _name_of(path)
        if names is not None and name not in names:
            continue
        try:
            claim = read_claim(path)
            if claim.id != name:
                raise BrokenClaim(f"id {claim.id} does not follow the path: write {name}")
            claims.append(claim)
        except BrokenClaim as error:
            broken.append(Broken(name, str(error)))
    return claims, broken


def _paths(root: Path) -> list[Path]:
    return sorted(root.glob("*.sql" if root.name == FINDINGS.name else "*/*.sql"))


def _name_of(path: Path) -> str:
    return f"{path.parent.name}.{path.stem}"


def read_claim(path: Path) -> Claim:
    """Read one claim file; BrokenClaim says what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenClaim(f"cannot be read ({error}): save it as UTF-8") from error
    return parse_claim(text)


def parse_claim(text: str) -> Claim:
    """The header's fields, checked, and the query below them."""
    fields, history, query = _split(text)
    for name in _FIELDS[:-1]:
        if name not in fields:
            raise BrokenClaim(f"the header has no `-- {name}:`: add it")
        if not fields[name] and name not in _MAY_BE_EMPTY:
            raise BrokenClaim(f"`-- {name}:` is empty: fill it in")
    if not _NAME.fullmatch(fields["id"]):
        raise BrokenClaim(f"id {fields['id']!r}: write group.name in lower-case letters, digits and _")
    if fields["evidence"] not in get_args(Evidence):
        raise BrokenClaim(f"evidence {fields['evidence']!r}: use one of {', '.join(get_args(Evidence))}")
    if not re.fullmatch(r"[1-9][0-9]*", fields["version"]):
        raise BrokenClaim(f"version {fields['version']!r}: write a whole number from 1 up")
    documents, needs = _names(fields["documents"]), _names(fields["needs"])
    for document in documents:
        if document not in known_documents():
            raise BrokenClaim(f"unknown document {document!r}: use {', '.join(known_documents())}")
    if not documents and not fields["id"].startswith(f"{FINDINGS.name}."):
        raise BrokenClaim("`-- documents:` is empty: name the documents that say it")
    for alias in needs:
        if not _ALIAS.fullmatch(alias):
            raise BrokenClaim(f"needs {alias!r}, which is no model alias: separate aliases by commas")
    version = int(fields["version"])
    if version > 1 and not any(line.startswith(f"v{version}: ") for line in history):
        raise BrokenClaim(f"version {version} has no reason: add `-- history: v{version}: why`")
    if not query:
        raise BrokenClaim("there is no query below the header: write one")
    return Claim(
        id=fields["id"],
        title=fields["title"],
        documents=documents,
        section=fields["section"],
        evidence=cast(Evidence, fields["evidence"]),
        needs=needs,
        version=version,
        reading=fields["reading"],
        history=tuple(history),
        query=query,
    )


def _split(text: str) -> tuple[dict[str, str], list[str], str]:
    """Header fields by name, history lines, and the query without its semicolon."""
    lines = text.splitlines()
    length = next((n for n, line in enumerate(lines) if not line.startswith("--")), len(lines))
    entries: list[tuple[str, str]] = []
    for line in lines[:length]:
        if continued := _CONTINUED.fullmatch(line.rstrip()):
            if not entries:
                raise BrokenClaim(f"{line!r} continues nothing: begin the header with `-- id:`")
            name, value = entries[-1]
            entries[-1] = (name, f"{value} {continued[1]}".strip())
        elif (field := _FIELD.fullmatch(line.rstrip())) and field[1] in _FIELDS:
            entries.append((field[1], (field[2] or "").strip()))
        else:
            raise BrokenClaim(f"header line {line!r}: write `-- field: text`, or indent by three to continue")
    fields: dict[str, str] = {}
    for name, value in entries:
        if name != "history" and name in fields:
            raise BrokenClaim(f"`-- {name}:` is there twice: keep one")
        fields[name] = value
    history = [value for name, value in entries if name == "history"]
    return fields, history, "\n".join(lines[length:]).strip().rstrip(";").rstrip()


def _tokens(query: str) -> list[str]:
    """The tokens of a query, without comments and white space."""
    return [token[1] for token in _TOKEN.finditer(query) if token[1]]


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",")) if text else ()
