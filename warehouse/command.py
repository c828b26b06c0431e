"""How every command ends: with an exit code, and with its failure in one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from warehouse.errors import NormhouseError

P = ParamSpec("P")


def command(interrupted: str = "") -> Callable[[Callable[P, int]], Callable[P, int]]:
    """For a `main`: 1 when it failed (said on stderr), 130 when interrupted (so is `interrupted`)."""

    def decorate(main: Callable[P, int]) -> Callable[P, int]:
        @wraps(main)
        def ended(*args: P.args, **kwargs: P.kwargs) -> int:
            try:
                return main(*args, **kwargs)
            except NormhouseError as error:
                print(f"error: {error}", file=sys.stderr)
                return 1
            except BrokenPipeError:
                # The reader of our output has seen enough (`| head`); keep Python from complaining later.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                return 0
            except KeyboardInterrupt:
                if interrupted:
                    print(interrupted, file=sys.stderr)
                return 130

        return ended

    return decorate
