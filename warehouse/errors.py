"""Expected failures, which end in one line; any other exception is a bug and shows its traceback.

Every message says what is wrong, where, and what to do. It is one line of bounded length, whatever texts of
a foreign lake or file it quotes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

LONGEST = 1_000


class NormhouseError(Exception):
    """Root of all expected failures; commands print it in one line and exit 1."""

    def __str__(self) -> str:
        return plain(super().__str__())


class UsageError(NormhouseError):
    """The command line asks for something that does not exist or does not fit together."""


class LakeError(NormhouseError):
    """A lake is missing, damaged or cannot be written."""


class LakeBusy(LakeError):
    """Another process holds the lake's write lock."""


class CannotWrite(LakeError):
    """No right or no space to write the catalog beside the tables."""


class SparkError(NormhouseError):
    """Spark cannot be started, or failed at what it was asked."""


class SourceError(NormhouseError):
    """A model could not be read from where it is."""


class HubError(SourceError):
    """The hub answered, but not with what was asked for."""


class HubUnreachable(HubError):
    """No connection to the endpoint, or HF_HUB_OFFLINE forbids one."""


class NotOnHub(HubError):
    """Repo, revision or file is missing, or private without a token."""


class AccessDenied(HubError):
    """The repo is gated, or the token is wrong or lacks a scope."""


class Untrusted(HubError):
    """The certificate of the endpoint, or of where it sends us, cannot be verified."""


class ProxyRefused(HubError):
    """The proxy that the environment names wants a password, or forbids the host."""


class GaveUp(HubError):
    """Retried with backoff until the limit; the message has the count and the last reason."""


class RangeIgnored(HubError):
    """The server answers a Range request with the whole file."""


class FormatError(SourceError):
    """A header, index, config or tensor breaks the rules of its format."""


def explain_duckdb_error(error: Exception) -> str:
    """What to say of an error of DuckDB that a damaged lake causes; "" for other errors, which are bugs."""
    # Importing DuckDB takes a tenth of a second. If it was not imported, the error is not its own.
    duckdb = sys.modules.get("duckdb")
    # A damaged page has no class of its own; wrong SQL has one that is not listed here.
    if duckdb is None or type(error) not in (
        duckdb.Error,
        duckdb.IOException,
        duckdb.InvalidInputException,
    ):
        return ""
    said = " ".join(str(error).partition("LINE 1:")[0].split())
    return (
        f"the lake cannot be read ({said}): `just check LAKE` names damaged files and what mends them; "
        "while models are gathered into larger files, the same command again helps"
    )


def plain(text: str, longest: int = LONGEST) -> str:
    """One line that is safe to display: what is not printable is escaped, a long text loses its middle.

    Not printable are control characters with newlines and ESC, characters that change the direction of text
    (U+202E), invisible ones such as U+200B, unassigned ones, and all spaces but the common one.
    """
    if len(text) > longest:
        # the end says what to do
        text = f"{text[: longest // 2]} … {text[-(longest // 3) :]}"
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def plain_lines(text: str) -> str:
    """The same for a text of several lines: newlines stay, and nothing is left out."""
    return "\n".join(plain(line, len(line)) for line in text.split("\n"))


MOST_NAMES = 20


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """`did you mean solar?`; if nothing is near, `otherwise`, or the names there are."""
    from difflib import get_close_matches  # only commands that fail need it

    names = list(known)
    by_case = {one.lower(): one for one in names}
    if near := get_close_matches(name.lower(), by_case, n=3):
        return f"did you mean {' or '.join(by_case[one] for one in near)}?"
    if otherwise:
        return otherwise
    listed = ", ".join(names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")
    return f"there is {listed}" if listed else "there is none"
