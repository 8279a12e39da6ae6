"""Reports the progress of a long step, with the time since it began."""

import sys
import time
from collections.abc import Callable

Report = Callable[[str], None]


class Progress:
    """The default report: prints lines like `[  12.3 s] building the Debian root` on stderr."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def __call__(self, message: str) -> None:
        print(f"[{time.monotonic() - self._start:6.1f} s] {message}", file=sys.stderr, flush=True)
