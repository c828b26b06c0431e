"""Draws charts as SVG and PNG without a browser, and bundles their script, in worker processes.

vl-convert holds Python's lock while it works, so threads would wait for each other. A worker imports nothing
but vl-convert, and starts while the command that needs it still reads the lake.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import signal
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import groupby
from pathlib import Path
from struct import unpack
from types import TracebackType
from typing import ParamSpec, TypeVar

from warehouse.console.exhausted import DRAWING, require_address_space

P = ParamSpec("P")
T = TypeVar("T")

Spec = Mapping[str, object]

SCALE = 2  # pixels of a PNG a point of the chart
MOST_WORKERS = 3  # each holds a JavaScript engine, some 200 MB

NUMBER = re.compile(r"-?\d+\.\d{2,}")
COORDINATES = re.compile(r' (?:d|transform|x2|y2)="[^"]*"')
SIZE = re.compile(r'(<svg[^>]*?) width="([\d.]+)" height="[\d.]+"')
# the page's style sheet sets these once for all pictures
SAID_ONCE = re.compile(
    r' (?:pointer-events|fill-opacity|stroke-opacity|opacity|stroke-miterlimit)="(?:none|1|10)"'
    r'| (?:aria-[a-z]+|role|xmlns:xlink|version|class|font-family)="[^"]*"'
    r'| transform="translate\(0,0\)"| stroke-width="0"'
)
INVISIBLE = re.compile(
    r'<path d="M0,0h0v0h0Z"[^>]*/>|<path d=""[^>]*/>|<path [^>]*display="none"/>|<g></g>|<g/>'
)
IDENTITY = re.compile(r'id="((?:clip|gradient)[\w-]*)"')
DOT = re.compile(
    r'<path transform="translate\((-?[\d.]+),(-?[\d.]+)\)" d="M([\d.]+),0A[^"]*Z?" fill="([^"]*)"([^>]*)/>'
)
FEW = 40  # dots; this many of the same look become one element


class Renderer:
    """A pool of workers. As a context manager it waits for all its pictures."""

    def __init__(self) -> None:
        require_address_space(DRAWING)
        workers = min(max((os.cpu_count() or 1) - 1, 1), MOST_WORKERS)
        self._pool = worker_processes(workers)

    def __enter__(self) -> Renderer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=error is not None)

    def draw(self, spec: Spec, folder: Path, name: str) -> Future[tuple[int, int]]:
        """SVG and PNG into an existing folder; width and height in points of the chart."""
        return self._pool.submit(write_images, json.dumps(spec), folder, name)

    def inline(self, spec: Spec) -> Future[str]:
        """SVG for inside a page: small, and as wide as its container."""
        return self._pool.submit(inline_svg, json.dumps(spec))

    def warm(self) -> None:
        """Let a worker start its JavaScript engine early, which takes a second."""
        self._pool.submit(start_engine)

    def bundle(self, vega_lite: str) -> Future[str]:
        return self._pool.submit(make_bundle, vega_lite)


def start_engine() -> None:
    import vl_convert

    vl_convert.vegalite_to_svg({"data": {"values": []}, "mark": "point"})


def write_images(spec: str, folder: Path, name: str) -> tuple[int, int]:
    import vl_convert

    svg = vl_convert.vegalite_to_svg(spec)
    # from the SVG: the same bytes as from the chart, in half the time
    png = vl_convert.svg_to_png(svg, scale=SCALE)
    (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    (folder / f"{name}.png").write_bytes(png)
    return size_of_png(png)


def inline_svg(spec: str) -> str:
    import vl_convert

    quiet = json.loads(spec)
    # the page labels the whole picture
    quiet["config"] = {**quiet.get("config", {}), "aria": False}
    quiet["background"] = None
    return smaller(vl_convert.vegalite_to_svg(json.dumps(quiet)))


def size_of_png(png: bytes) -> tuple[int, int]:
    """In points; every PNG has width and height as its bytes 16 to 24."""
    width, height = unpack(">II", png[16:24])
    return round(width / SCALE), round(height / SCALE)


def make_bundle(vega_lite: str) -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, of which pages need the last."""
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=vega_lite))


def smaller(svg: str) -> str:
    """Round coordinates to a tenth of a pixel, and limit the width to that of the drawing."""
    text = SAID_ONCE.sub("", svg)
    text = COORDINATES.sub(lambda found: NUMBER.sub(_rounded, found.group()), text)
    text = SIZE.sub(r'\1 style="max-width: \2px"', text, count=1)
    text = _joined_dots(text)
    while INVISIBLE.search(text):
        text = INVISIBLE.sub("", text)
    # several pictures share a page, so ids of clip paths and gradients must differ
    own = hashlib.sha256(text.encode()).hexdigest()[:8]
    for name in set(IDENTITY.findall(text)):
        text = re.sub(rf"\b{name}\b", f"{name}-{own}", text)
    return text


def _joined_dots(text: str) -> str:
    """Draw many circles of one colour and size as one path of round dots, which is shorter."""
    found = list(DOT.finditer(text))
    begins = {one.start(): one.end() for one in found}
    pieces, end = [], 0
    looks = groupby(_runs(found), key=lambda run: (run[0], run[1].groups()[2:]))
    for (_, (radius, colour, rest)), run in looks:
        dots = [dot for _, dot in run]
        if len(dots) < FEW:
            continue
        kept = re.sub(r' stroke[a-z-]*="[^"]*"', "", rest)
        places = "".join(f"M{dot.group(1)},{dot.group(2)}h0" for dot in dots)
        pieces.append(text[end : dots[0].start()])
        pieces.append(
            f'<path d="{places}" stroke="{colour}" stroke-width="{2 * float(radius):g}" '
            f'stroke-linecap="round"{kept}/>'
        )
        end = begins[dots[-1].start()]
    return "".join([*pieces, text[end:]])


def _runs(dots: list[re.Match[str]]) -> list[tuple[int, re.Match[str]]]:
    """Each dot with the number of its unbroken run."""
    run, end, numbered = 0, -1, []
    for dot in dots:
        run += dot.start() != end
        end = dot.end()
        numbered.append((run, dot))
    return numbered


def _rounded(found: re.Match[str]) -> str:
    short = f"{float(found.group()):.1f}".removesuffix(".0")
    return "0" if short == "-0" else short


class WorkerProcesses(ProcessPoolExecutor):
    """Workers that ignore Ctrl-C: the command handles it and ends them."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        # workers start here, and a process inherits that a signal is ignored
        if threading.current_thread() is not threading.main_thread():
            return super().submit(fn, *args, **kwargs)
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.signal(signal.SIGINT, before)


def worker_processes(count: int) -> ProcessPoolExecutor:
    """Spawned, not forked: a forked process would inherit locks of DuckDB's threads, but not the threads."""
    return WorkerProcesses(count, multiprocessing.get_context("spawn"), initializer=_with_one_thread)


def _with_one_thread() -> None:
    """Must run before NumPy is imported: its threads in several processes slow each other down."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
