"""The list of intended differences from TopoLVM's lvmd: intended.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("intended.toml")
_KEYS = {"rules", "calls", "field", "topolvm", "lvmd", "reason"}


class ListError(Exception):
    """The list is invalid. The text names the entry."""


@dataclass(frozen=True)
class Difference:
    """A difference in the result of one call. `field` is `code` (values `CODE: message`), a field
    of the response (`volume.path`), or a property that LVM has after the call (`lvm.size`)."""

    call: str
    field: str
    topolvm: str
    lvmd: str

    def __str__(self) -> str:
        return f"{self.call}, {self.field}: TopoLVM {self.topolvm!r}, lvmd {self.lvmd!r}"


@dataclass(frozen=True)
class Entry:
    """One intended difference. `field`, `topolvm` and `lvmd` are regular expressions."""

    id: str
    rules: tuple[str, ...]
    calls: tuple[str, ...]
    field: str
    topolvm: str
    lvmd: str
    reason: str

    def covers(self, difference: Difference) -> bool:
        return difference.call in self.calls and all(
            re.fullmatch(pattern, value, re.DOTALL)
            for pattern, value in ((self.field, difference.field),
                                   (self.topolvm, difference.topolvm),
                                   (self.lvmd, difference.lvmd)))


def read(file: Path = FILE) -> tuple[Entry, ...]:
    return parse(file.read_text(encoding="utf-8"))


def parse(text: str) -> tuple[Entry, ...]:
    return tuple(_entry(name, table) for name, table in tomllib.loads(text).items())


def covering(entries: Sequence[Entry], difference: Difference) -> list[Entry]:
    return [entry for entry in entries if entry.covers(difference)]


def _entry(name: str, table: object) -> Entry:
    if not re.fullmatch(r"D-[A-Z]+(-[A-Z0-9]+)*", name):
        raise ListError(f"{name}: an id looks like D-REMOVE-POOL")
    if not isinstance(table, dict) or set(table) != _KEYS:
        raise ListError(f"{name}: an entry has exactly {', '.join(sorted(_KEYS))}")
    for key in ("rules", "calls"):
        words = table[key]
        if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
            raise ListError(f"{name}: {key} is not a list of strings")
    for key in ("field", "topolvm", "lvmd"):
        try:
            re.compile(table[key])
        except (re.error, TypeError) as error:
            raise ListError(f"{name}: {key} is not a regular expression: {error}") from None
    return Entry(name, tuple(table["rules"]), tuple(table["calls"]), table["field"],
                 table["topolvm"], table["lvmd"], table["reason"])
