"""What to say of a name that nothing has: the nearest that something has, else what there is."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 20


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """`did you mean solar?`; if nothing is near, `otherwise`, or the names there are."""
    names = list(known)
    by_case = {one.lower(): one for one in names}
    if near := get_close_matches(name.lower(), by_case, n=3):
        return f"did you mean {' or '.join(by_case[one] for one in near)}?"
    if otherwise:
        return otherwise
    listed = ", ".join(names[:MOST]) + (", …" if len(names) > MOST else "")
    return f"there is {listed}" if listed else "there is none"
