"""What servers of repositories have in common."""

from __future__ import annotations

import abc
from types import TracebackType
from typing import Self

from .place import FOLDER, Place, start_unit, stop_unit


class Store(abc.ABC):
    """A server that is a unit of its place. From `__enter__` to `__exit__`; what was stored stays."""

    name: str
    port: int
    secrets: tuple[str, ...]

    def __init__(self, place: Place, program: str) -> None:
        """`program`: the server's path at the place."""
        self.unit = f"store-{self.name}"
        self.folder = f"{FOLDER}/{self.name}"
        self._place = place
        self._program = program

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stop()

    @abc.abstractmethod
    def start(self) -> None:
        """Returns when the server listens."""

    def stop(self) -> None:
        """Also when it does not run any more."""
        stop_unit(self._place, self.unit)

    def _start(self, arguments: list[str], environment: str = "") -> None:
        start_unit(self._place, self.unit, [self._program, *arguments], self.port, environment)

    @property
    @abc.abstractmethod
    def credentials(self) -> dict[str, str]:
        """As TransferService takes them, without the repository's password."""

    @property
    def repository(self) -> dict[str, str]:
        """What belongs to a Repository besides its location; bytes are base64 in JSON."""
        return {}

    @property
    @abc.abstractmethod
    def environment(self) -> dict[str, str]:
        """Both, for restic by hand."""
