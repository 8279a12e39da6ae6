"""The shared libraries that a program needs, as found by the dynamic linker of this host."""

from __future__ import annotations

import re
from pathlib import Path

from .debian import run
from .errors import ImageError

_LINE = re.compile(r"^\s*(?:(?P<name>\S+) => )?(?P<path>/\S+) \(0x[0-9a-f]+\)$")


def needed(program: Path) -> list[Path]:
    """The libraries and the dynamic linker, by the paths at which the program expects them. Raises
    ImageError if one is missing."""
    listed = run(["ldd", program])
    if listed is None:
        raise ImageError(f"{program} is no dynamically linked program of this host")
    return parse(listed, str(program))


def parse(listed: str, program: str) -> list[Path]:
    """Parses the output of `ldd`."""
    found = []
    for line in listed.splitlines():
        if line.endswith("=> not found"):
            raise ImageError(f"{program} needs {line.split()[0]}, which this host does not have")
        match = _LINE.match(line)
        if match:
            found.append(Path(match["path"]))
        elif "linux-vdso" not in line:
            raise ImageError(f"ldd {program} said what is not understood: {line.strip()}")
    return found
