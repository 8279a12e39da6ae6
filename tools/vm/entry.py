"""Cached directories, which are complete or absent: `CACHE/<kind>-<key>`.

The key is a hash of all inputs, so no outdated entry is used. An entry is built under another name
and renamed when it is complete. Builders of one kind wait for each other. The two entries used last
are kept.
"""

import contextlib
import fcntl
import hashlib
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

KEPT = 2


class BuildError(Exception):
    """A part of the VM could not be built. The message has the remedy."""


def digest(*parts: str | Path) -> str:
    """The key of all parts. For a path, the file's content is part of the key."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part.read_bytes()
        total.update(hashlib.sha256(data).digest())
    return total.hexdigest()[:16]


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def entry(cache: Path, kind: str, key: str, build: Callable[[Path], None]) -> Path:
    """The directory of this key. Calls `build(directory)` if it does not exist."""
    cache.mkdir(parents=True, exist_ok=True)
    place = cache / f"{kind}-{key}"
    with _locked(cache / f"{kind}.lock"):
        if not place.is_dir():
            for leftover in cache.glob(f"{kind}.partial-*"):
                _remove(leftover)
            partial = Path(tempfile.mkdtemp(prefix=f"{kind}.partial-", dir=cache))
            try:
                build(partial)
                partial.rename(place)
            finally:
                _remove(partial)
        now = time.time_ns()  # finer than the kernel's timestamp
        os.utime(place, ns=(now, now))
        _drop_old(cache, kind)
    return place


def _remove(place: Path) -> None:
    """Deletes a directory, if it exists, without the content of file systems mounted in it."""
    subprocess.run(["rm", "-rf", "--one-file-system", str(place)], check=True)


def _drop_old(cache: Path, kind: str) -> None:
    newest_first = sorted(
        cache.glob(f"{kind}-*"), key=lambda place: place.stat().st_mtime_ns, reverse=True
    )
    for place in newest_first[KEPT:]:
        _remove(place)
