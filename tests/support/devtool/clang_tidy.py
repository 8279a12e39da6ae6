"""clang-tidy on every source file of ours, in parallel; files found clean are remembered.

The key of a remembered result covers clang-tidy's version, `.clang-tidy`, the command line, and the
content of every file that the compiler read for it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from . import build, packages
from .errors import DevError
from .paths import CACHE, ROOT
from .progress import Progress
from .results import Case, SuiteResult

_PROGRAM = "clang-tidy-19"
_CLEAN = CACHE / "clang-tidy"


@dataclass(frozen=True)
class _Unit:
    source: Path
    command: str
    reads: tuple[str, ...]


def run(progress: Progress, deadline: float | None) -> SuiteResult:
    """One case per source file. After `deadline` (time.monotonic) nothing new is begun, and the
    files left are named on stdout."""
    begin = time.monotonic()
    result = SuiteResult("clang-tidy")
    packages.ensure("full")
    try:
        units = _units(build.CLANG.directory)
    except DevError as error:
        result.fail("the files to check", str(error))
        return result
    _CLEAN.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([_PROGRAM, "--version"], check=True, capture_output=True).stdout
    fixed = version + (ROOT / ".clang-tidy").read_bytes()
    todo = []
    for unit in units:
        mark = _CLEAN / _key(fixed, unit)
        if mark.exists():
            result.succeed(_name(unit))
        else:
            todo.append((unit, mark))
    left: list[str] = []

    def check(entry: tuple[_Unit, Path]) -> Case | None:
        unit, mark = entry
        if deadline is not None and time.monotonic() > deadline:
            left.append(_name(unit))
            return None
        case = _check(unit)
        if case.passed:
            mark.touch()
        progress.status(f"clang-tidy: {_name(unit)}")
        return case

    with progress.step(f"clang-tidy on {len(todo)} of {len(units)} files"):
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            result.cases += [case for case in pool.map(check, todo) if case is not None]
    if left:
        print(f"clang-tidy: out of time; not checked: {len(left)} files: {' '.join(left)}")
    result.seconds = time.monotonic() - begin
    return result


def _units(directory: Path) -> list[_Unit]:
    """Our own sources (no generated ones) with their commands in the clang build."""
    database = directory / "compile_commands.json"
    if not database.exists():
        raise DevError("the clang build could not be configured, so nothing says how to compile")
    reads = _read_files(directory)
    units = []
    for entry in json.loads(database.read_text(encoding="utf-8")):
        source = (Path(entry["directory"]) / entry["file"]).resolve()
        if source.is_relative_to(ROOT) and not source.is_relative_to(directory):
            units.append(_Unit(source, entry["command"], reads.get(entry["output"], ())))
    return units


def _read_files(directory: Path) -> dict[str, tuple[str, ...]]:
    """For each object file, what Ninja recorded that the compiler read."""
    listed = subprocess.run(
        ["ninja", "-C", directory, "-t", "deps"], check=True, capture_output=True, text=True
    ).stdout
    found: dict[str, tuple[str, ...]] = {}
    for block in re.split(r"\n\n+", listed):
        head, *files = block.splitlines() or [""]
        match = re.match(r"(\S+): #deps", head)
        if match:
            found[match[1]] = tuple(str((directory / f.strip()).resolve()) for f in files)
    return found


def _key(fixed: bytes, unit: _Unit) -> str:
    digest = hashlib.sha256(fixed)
    digest.update(unit.command.encode())
    for path in sorted({str(unit.source), *unit.reads}):
        digest.update(path.encode() + _content(path))
    if not unit.reads:  # it was not compiled: nothing says what it reads, so remember nothing
        digest.update(os.urandom(16))
    return digest.hexdigest()


@lru_cache(maxsize=None)
def _content(path: str) -> bytes:
    try:
        return hashlib.sha256(Path(path).read_bytes()).digest()
    except FileNotFoundError:
        return b"missing"


def _check(unit: _Unit) -> Case:
    begin = time.monotonic()
    done = subprocess.run(
        [_PROGRAM, "--quiet", "-p", build.CLANG.directory, unit.source],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )
    seconds = time.monotonic() - begin
    found = done.stdout.replace(f"{ROOT}/", "").strip() or done.stderr.strip()
    passed = done.returncode == 0
    return Case(_name(unit), passed, seconds, "" if passed else found)


def _name(unit: _Unit) -> str:
    return str(unit.source.relative_to(ROOT))
