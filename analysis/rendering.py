"""Pictures of charts without a browser, and the script that draws them in one, made by other processes.

vl-convert holds Python's lock while it works, so threads would wait for each other. A worker imports nothing
but vl-convert, and starts while the commands that need it still read the lake.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from struct import unpack
from types import TracebackType

from analysis.processes import worker_processes
from warehouse.console.exhausted import DRAWING, require_address_space

Spec = Mapping[str, object]

SCALE = 2  # pixels of a PNG a point of the chart
MOST_WORKERS = 3  # each holds a JavaScript engine, some 200 MB


class Renderer:
    """A pool of workers; use as a context, which waits for all that was asked for."""

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
        """SVG to stand inside a page: small, and as wide as its place."""
        return self._pool.submit(inline_svg, json.dumps(spec))

    def warm(self) -> None:
        """Lets a worker start its JavaScript engine, which takes a second, while there is nothing to draw."""
        self._pool.submit(start_engine)

    def bundle(self, vega_lite: str) -> Future[str]:
        return self._pool.submit(make_bundle, vega_lite)


def start_engine() -> None:
    import vl_convert

    vl_convert.vegalite_to_svg({"data": {"values": []}, "mark": "point"})


def write_images(spec: str, folder: Path, name: str) -> tuple[int, int]:
    import vl_convert

    svg = vl_convert.vegalite_to_svg(spec)
    # From the SVG, the same bytes as from the chart in half the time.
    png = vl_convert.svg_to_png(svg, scale=SCALE)
    (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    (folder / f"{name}.png").write_bytes(png)
    return size_of_png(png)


def inline_svg(spec: str) -> str:
    import vl_convert

    from analysis.inline_svg import smaller

    quiet = json.loads(spec)
    # one label for the whole picture stands beside it in the page
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
