"""A slow path to a store: uploads go through a relay with a limited number of bytes per second."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from .place import FOLDER, Place, start_unit, stop_unit


class SlowRelay:
    """Runs from `__enter__` to `__exit__`, on a separate port in front of that of a store."""

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
