"""HTML: the Jinja environment, how figures are written out, and the one script that draws all charts.

Pages open from disk and load nothing but pictures beside them: styles, scripts, chart specifications and data
are inside. A content security policy enforces this and lists the scripts by their hashes, so that no text of
a lake could run even if it were not escaped. No page may turn text into code, so Vega interprets its
expressions (`ast` in report.js).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analysis.claims.results import Measurement, measured
from analysis.figures.charts.style import DARK
from analysis.languages import Language, Observed
from analysis.rendering import Renderer
from analysis.report.links import Links, texts
from analysis.rows import json_text
from warehouse.documents import documents, short_name
from warehouse.errors import UsageError, plain_lines
from warehouse.storage.drafts import draft_folder

HERE = Path(__file__).parent
SYMBOLS = {
    "reproduced": "✓",
    "depends on the reading": "±",
    "contradicted": "✕",
    "figures disagree": "≠",
    "by definition": "≡",
    "untestable": "?",
    "not judged": "◌",
    "shown": "✓",
    "not shown": "–",
    "broken": "!",
}
OWN: dict[Language, str] = {"en": "own output, ", "ko": "자체 출력, "}
AGREEING: dict[Language, tuple[str, str]] = {"en": ("agrees", "differs"), "ko": ("일치", "불일치")}


@cache
def environment() -> Environment:
    """The Jinja environment: it escapes all that is not Markup, and a missing value is an error.

    It is made once, because it keeps compiled templates. Characters that are not printable are shown as on a
    terminal, for example `\\x1b`.
    """
    jinja = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters |= {
        "number": number,
        "size": size,
        "embedded": embedded,
        "document": short_name,
        "measured": measured,
        "measured_words": measured_words,
        "slug": slug,
    }
    jinja.globals |= {"SYMBOLS": SYMBOLS, "DOCUMENTS": documents(), "DARK": DARK}
    # a page in another language, or elsewhere, has its own
    jinja.globals |= {"language": "en", "frame": texts("frame", "en"), "links": Links("", "en")}
    return jinja


def render(template: str, bundle: str, values: Mapping[str, object]) -> str:
    """A whole page; without charts it needs no `bundle`."""
    style = (HERE / "assets" / "report.css").read_text(encoding="utf-8") + dark_charts()
    script = (HERE / "assets" / "report.js").read_text(encoding="utf-8")
    policy = "; ".join(
        (
            "default-src 'none'",
            "img-src 'self' file: data:",
            "style-src 'unsafe-inline'",
            f"script-src {' '.join(_source(one) for one in (bundle, script) if one)}",
        )
    )
    inlined = {"style": Markup(style), "script": Markup(script), "bundle": Markup(bundle), "policy": policy}
    return environment().get_template(template).render({**values, **inlined})


def dark_charts() -> str:
    """Style rules that recolour pictures inside a dark page; charts read `DARK` themselves."""
    rules = "".join(
        f'.inline [{place}="{colour}" i] {{ {place}: {dark} }}\n'
        for colour, dark in DARK.items()
        for place in ("fill", "stroke")
    )
    return f"@media screen and (prefers-color-scheme: dark) {{\n{rules}}}\n"


def slug(words: str) -> str:
    """For class names and attributes, which blanks would split."""
    return words.replace(" ", "-")


def number(value: float | None, form: str = ".6g") -> str:
    """By default six digits, so that small differences show; None and NaN are undefined."""
    return format(Observed(value), form)


def size(count: int | None) -> str:
    """Bytes in a readable unit; powers of ten, as on a file's page at the hub."""
    if count is None:
        return "unknown"
    amount = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.3g} {unit}"
        amount /= 1000
    return f"{amount:.3g} TB"


def embedded(value: object) -> Markup:
    """JSON for inside a <script>: no character of it can end the element."""
    text = json_text(value, compact=True)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def measured_words(measurements: tuple[Measurement, ...], language: Language) -> str:
    """What others published, in a few words of the language."""
    by_source = dict.fromkeys(
        f"{short_name(one.source)} {one.value:.4g} "
        f"({OWN[language] if one.is_own else ''}{AGREEING[language][0 if one.agrees else 1]})"
        for one in measurements
    )
    return ", ".join(by_source)


def vega_bundle(cache: Path, renderer: Renderer) -> Future[str]:
    """The script that draws all charts.

    Making it takes seconds and depends on vl-convert's version alone, so it is kept in the folder `cache`.
    """
    import altair

    vega_lite = ".".join(altair.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    kept = cache / f".vega-{version('vl-convert-python')}-{vega_lite}.js"
    if kept.exists():
        done: Future[str] = Future()
        done.set_result(kept.read_text(encoding="utf-8"))
        return done
    made = renderer.bundle(vega_lite)

    def keep(future: Future[str]) -> None:
        # a failure only makes the next report slower, and other writes report theirs
        with suppress(Exception):
            write(kept, future.result())

    made.add_done_callback(keep)
    return made


def make_folder(folder: Path) -> None:
    """Called before any work, so that a wrong --out fails at once."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make {folder} ({error.strerror or error}): choose another --out") from error


def write(path: Path, content: str | bytes) -> None:
    """Write a file atomically."""
    try:
        with draft_folder(path.parent) as folder:
            draft = folder / path.name
            draft.write_bytes(content.encode() if isinstance(content, str) else content)
            draft.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path} ({error.strerror or error}): choose another --out") from error


def _printable(value: object) -> object:
    """A value as templates print it, before it is escaped as HTML; our own markup is kept."""
    return plain_lines(value) if type(value) is str else value


def _source(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
