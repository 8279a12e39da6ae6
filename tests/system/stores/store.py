"""The base class of the servers of repositories."""

from __future__ import annotations

import abc
from types import TracebackType
from typing import Self

from .place import FOLDER, Place, start_unit, stop_unit


class Store(abc.ABC):
    """A server that is a unit of its host. Runs from `__enter__` to `__exit__`; its data stays."""

    name: str
    port: int
    secrets: tuple[str, ...]

    def __init__(self, place: Place, program: str) -> None:
        """`program`: the server's path on the host."""
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
        """Waits until the server listens."""

    def stop(self) -> None:
        """No error if it does not run."""
        stop_unit(self._place, self.unit)

    def _start(self, arguments: list[str], environment: str = "") -> None:
        start_unit(self._place, self.unit, [self._program, *arguments], self.port, environment)

    @property
    @abc.abstractmethod
    def credentials(self) -> dict[str, str]:
        """In the format of TransferService, without the repository's password."""

    @property
    def repository(self) -> dict[str, str]:
        """The fields of a Repository other than its location. Bytes are base64 in JSON."""
        return {}

    @property
    @abc.abstractmethod
    def environment(self) -> dict[str, str]:
        """Both, for restic by hand."""
