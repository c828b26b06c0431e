"""Progress of long commands, on stderr: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
from types import TracebackType

from rich import progress
from rich.console import Console

from warehouse.errors import plain


class Progress:
    """Use as a context; `quiet` leaves only failures."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._tasks: dict[str, progress.TaskID] = {}
        self._bars: progress.Progress | None = None
        if not quiet and _wants_bars(self._console):
            # markup would let the name of a file colour the line or hide a link in it
            name = progress.TextColumn("{task.description:<14}", markup=False)
            note = progress.TextColumn("{task.fields[note]}", markup=False)
            columns = (name, progress.BarColumn(), progress.MofNCompleteColumn(), note)
            self._bars = progress.Progress(*columns, console=self._console)

    def __enter__(self) -> Progress:
        if self._bars:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars:
            self._bars.stop()

    def say(self, line: str) -> None:
        if not self._quiet:
            self.warn(line)

    def warn(self, line: str) -> None:
        """Print a line even when quiet. Markup and control characters in it have no effect."""
        self._console.print(plain(line), markup=False)

    @property
    def has_bars(self) -> bool:
        return self._bars is not None

    def step(self, name: str, done: int, of: int, note: str = "") -> None:
        """Move the bar of this name, if there are bars."""
        if self._bars:
            if name not in self._tasks:
                self._tasks[name] = self._bars.add_task(plain(name), note="")
            self._bars.update(self._tasks[name], completed=done, total=of, note=plain(note))

    def finished(self, name: str, note: str) -> None:
        """The final note of a bar, or a line without bars."""
        if self._bars and name in self._tasks:
            self._bars.update(self._tasks[name], note=plain(note))
        else:
            self.say(f"{name}: {note}")


def _wants_bars(console: Console) -> bool:
    disabled = os.environ.get("HF_HUB_DISABLE_PROGRESS_BARS", "").upper() in {"1", "ON", "YES", "TRUE"}
    return sys.stderr.isatty() and console.is_interactive and not disabled


def size_text(count: float) -> str:
    """A number of bytes for people."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"
