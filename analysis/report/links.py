"""Turns texts of the pages into HTML: escaped, with bold words, code and links.

`[shown](kind:what)` is a link: `term` to the glossary, `doc` to a document of the argument and lines of it,
`repo` to its repository, `model` to a model's page at the hub, `figure`, `claim` and `step` (of the dispute)
to their places in the report, `page` to one of its pages, `ledger` to the ledger with a filter such as
`verdict=contradicted`; or an address that begins with https.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from analysis.languages import Language, in_language, read_texts
from warehouse.documents import sources
from warehouse.errors import plain_lines

TEXTS = Path(__file__).with_name("texts")
REGISTRY = Path(__file__).parents[2] / "ingest" / "registry.toml"
HUB = "https://huggingface.co"
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
BOLD = re.compile(r"\*\*(.+?)\*\*")
OUTSIDE = ("doc", "repo", "model", "https")
CODE = re.compile(r"`([^`]+)`")

# page: its file, and whether there is one in every language
PAGES = {
    "main": ("index.html", True),
    "figures": ("figures.html", True),
    "ledger": ("ledger.html", False),
    "contradictions": ("contradictions.html", False),
    "lineage": ("lineage.html", False),
    "declared": ("declared.html", False),
    "data": ("data.html", False),
}
IN_ENGLISH: dict[Language, str] = {"en": "in English", "ko": "영어"}
SUBFOLDERS: dict[Language, str] = {"en": "", "ko": "ko/"}


def texts(name: str, language: Language) -> dict[str, Any]:
    """The texts of a page in one language."""
    found: dict[str, Any] = in_language(read_texts(TEXTS / f"{name}.toml"), language)
    return found


@dataclass(frozen=True)
class Links:
    """Where things are, as seen from one page."""

    page: str
    language: Language

    @property
    def base(self) -> str:
        """From this page's folder to the report's."""
        return "../" if SUBFOLDERS[self.language] else ""

    def to(self, page: str, anchor: str = "", language: Language | None = None) -> str:
        """A page in this language, or in English if it has no other."""
        file, in_all = PAGES[page]
        wanted = (language or self.language) if in_all else "en"
        is_beside = wanted == self.language
        if is_beside and page == self.page and anchor:
            return f"#{anchor}"
        folder = "" if is_beside else f"{self.base}{SUBFOLDERS[wanted]}"
        return f"{folder}{file}" + (f"#{anchor}" if anchor else "")

    def switched(self, language: Language) -> str:
        """This page in another language, or the main page if it has none."""
        return self.to(self.page if PAGES[self.page][1] else "main", language=language)

    def figure(self, name: str) -> str:
        return self.to("figures", f"figure-{name}")

    def claim(self, name: str) -> str:
        return self.to("ledger", f"claim-{name}")

    def term(self, key: str) -> str:
        return self.to("main", f"term-{key}")

    def step(self, key: str) -> str:
        return self.to("main", f"step-{key}")

    def ledger(self, filters: str) -> str:
        return f"{self.to('ledger')}?{filters}"

    def _page(self, what: str) -> str:
        page, _, anchor = what.partition("#")
        return self.to(page, anchor)

    def mark(self, kind: str, what: str) -> str:
        """A note beside a link to a page that exists only in English."""
        page = {"figure": "figures", "step": "main"}.get(kind, "ledger")
        page = what.partition("#")[0] if kind == "page" else page
        if self.language == "en" or PAGES[page][1]:
            return ""
        return f'<span class="meta"> ({IN_ENGLISH[self.language]})</span>'

    def html(self, text: str) -> Markup:
        """A text with its links, bold words and code; what is not printable is escaped as in templates."""
        done = str(escape(plain_lines(text)))
        done = LINK.sub(lambda found: self._link(found.group(1), found.group(2)), done)
        done = BOLD.sub(r"<strong>\1</strong>", done)
        return Markup(CODE.sub(r"<code>\1</code>", done))

    def _link(self, shown: str, target: str) -> str:
        kind, _, what = target.partition(":")
        if kind == "term":
            return f'<a class="term" href="{self.term(what)}" data-term="{what}">{shown}</a>'
        places = {"figure": self.figure, "claim": self.claim, "step": self.step, "ledger": self.ledger}
        if kind in (*places, "page"):
            return f'<a href="{places.get(kind, self._page)(what)}">{shown}</a>{self.mark(kind, what)}'
        if kind not in OUTSIDE:
            return f"[{shown}]({target})"  # a text that only looks like a link
        return f'<a href="{address(target)}" rel="noreferrer">{shown}</a>'


def address(target: str) -> str:
    """On the web: `doc:hyunwoong:119-120`, `repo:hyunwoong`, `model:solar`, or an address itself."""
    kind, _, what = target.partition(":")
    if kind == "https":
        return target
    if kind == "model":
        return f"{HUB}/{_registry()[what]['repo']}"
    key, _, lines = what.partition(":")
    source = sources()[key]
    repository = f"https://github.com/{source.repository}"
    if kind == "repo":
        return repository
    if source.file.endswith("/"):
        return f"{repository}/tree/{source.commit}/{source.file}"
    marked = "-".join(f"L{line}" for line in lines.split("-")) if lines else ""
    # without `plain`, GitHub shows Markdown rendered, and lines have no place
    return f"{repository}/blob/{source.commit}/{source.file}" + (f"?plain=1#{marked}" if marked else "")


@cache
def _registry() -> dict[str, dict[str, str]]:
    return tomllib.loads(REGISTRY.read_text(encoding="utf-8"))
