"""A slow way to a store: what goes up to it passes a relay at so many bytes per second."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from .place import FOLDER, Place, start_unit, stop_unit


class SlowRelay:
    """From `__enter__` to `__exit__`, on a port of its own before that of a store."""

    unit = "store-relay"
    port = 9000

    def __init__(self, place: Place, upstream: int, bytes_per_second: int) -> None:
        self._place = place
        self._upstream = upstream
        self._rate = bytes_per_second

    def __enter__(self) -> SlowRelay:
        program = f"{FOLDER}/slow_relay.py"
        self._place.write(program, (Path(__file__).parent / "slow_relay.py").read_text())
        start_unit(self._place, self.unit,
                   ["/usr/bin/python3", program, str(self.port), str(self._upstream),
                    str(self._rate)], self.port)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        stop_unit(self._place, self.unit)
