"""Searches for secrets in all places where other users could read them.

    python3 search.py [--except UNIT]... [FOLDER]... <SECRETS

SECRETS are lines of standard input, because the search would find its own arguments. It searches
the arguments and environments of all processes, except this one and those of the given units, the
files below the FOLDERs, and the journal. Prints a line for each place that has a secret, plain or in
base64. The exit code is 1 if there is such a place.
"""

from __future__ import annotations

import argparse
import base64
import os
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

_PIECE = 1 << 20


def forms(secrets: Sequence[bytes]) -> list[bytes]:
    """Each secret and its base64 forms, for each position in a longer text."""
    found = list(secrets)
    for secret in secrets:
        for before in range(3):
            coded = base64.b64encode(bytes(before) + secret)
            # Without the characters that also depend on the text before or after it.
            found.append(coded[-(-before * 8 // 6):len(coded) - 4])
    return found


def in_processes(wanted: Sequence[bytes], processes: Path, without: Sequence[str]) -> Iterator[str]:
    for process in sorted(processes.glob("[0-9]*")):
        if process.name == str(os.getpid()):
            continue
        try:
            control_group = (process / "cgroup").read_text()
            if any(f"/{unit}.service" in control_group for unit in without):
                continue
            for name in ("cmdline", "environ"):
                if _has((process / name).read_bytes(), wanted):
                    yield f"{name} of {process.name} ({(process / 'comm').read_text().strip()})"
        except OSError:  # it has ended
            continue


def in_files(wanted: Sequence[bytes], folder: Path) -> Iterator[str]:
    """Regular files below the folder, on any file system. Does not follow symlinks."""
    for path, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            file = Path(path, name)
            try:
                if stat.S_ISREG(file.lstat().st_mode) and _file_has(file, wanted):
                    yield f"file {file}"
            except OSError:  # it was deleted
                continue


def in_journal(wanted: Sequence[bytes]) -> Iterator[str]:
    """Every field of every entry since the boot."""
    done = subprocess.run(["journalctl", "-b", "--no-pager", "-o", "export"], capture_output=True,
                          check=True)
    for line in done.stdout.split(b"\n"):
        if _has(line, wanted):
            yield f"journal: {line[:40].decode(errors='replace')}…"


def _has(data: bytes, wanted: Sequence[bytes]) -> bool:
    return any(each in data for each in wanted)


def _file_has(file: Path, wanted: Sequence[bytes]) -> bool:
    overlap = max(map(len, wanted)) - 1
    with file.open("rb") as opened:
        end = b""
        while data := opened.read(_PIECE):
            if _has(end + data, wanted):
                return True
            end = (end + data)[-overlap:]
    return False


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--except", action="append", default=[], dest="without", metavar="UNIT")
    arguments = parser.parse_args()
    wanted = forms([line for line in sys.stdin.buffer.read().split(b"\n") if line])
    if not wanted:
        parser.error("no secret on standard input")
    places = [*in_processes(wanted, Path("/proc"), arguments.without), *in_journal(wanted)]
    for folder in arguments.folders:
        places += in_files(wanted, folder)
    print("\n".join(places))
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
