"""What a crawl calls a model in the lake: a name that no other repo can have.

`Qwen/Qwen2.5-0.5B` becomes `qwen--qwen2.5-0.5b`, in small letters because file systems and the hub take
`A` for `a`. The hub has no `--` in names, so this is one to one; what does not fit gets a digest at its end.
"""

from __future__ import annotations

import re
from hashlib import sha256

from ingest.registry import registry

BETWEEN = "--"
LONGEST = 100
LONGEST_START = 70
DIGITS = 16
# `m_` is put before a digit, so no owner may begin with both
PLAIN = re.compile(r"(?!m_\d)[a-z0-9](?:[a-z0-9_.-]*[a-z0-9_.])?")


def model_key(repo: str) -> str:
    """The registry's alias for its repos; the same for the same repo, whatever the case."""
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
    """For a repo that has no plain key, or whose own was given to another model with --alias.

    It has `--` twice, a plain key once.
    """
    text = repo.lower()
    start = re.sub(r"[^a-z0-9_.]+", "-", text)[:LONGEST_START].strip("-.")
    return f"x{BETWEEN}{start}{BETWEEN}{sha256(text.encode()).hexdigest()[:DIGITS]}"
