"""What a long command says while it works: on stderr; a bar on a terminal, a line a stage elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn


class Talk:
    """Use as a context; `quiet` says nothing at all."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._tasks: dict[str, TaskID] = {}
        self._said: set[str] = set()
        self._bars: Progress | None = None
        if not quiet and sys.stderr.isatty() and self._console.is_interactive:
            columns = (TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn())
            self._bars = Progress(*columns, TextColumn("{task.fields[now]}"), console=self._console)

    def __enter__(self) -> Talk:
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
            self._console.print(line, markup=False)

    def step(self, stage: str, now: str, done: int, of: int) -> None:
        """`done` of `of` parts of a stage are finished, and `now` is the part at hand."""
        if self._bars:
            if stage not in self._tasks:
                self._tasks[stage] = self._bars.add_task(stage, total=of, now=now)
            self._bars.update(self._tasks[stage], completed=done, now=now)
        elif stage not in self._said:
            self._said.add(stage)
            self.say(f"{stage} {of} figures")
