"""clang-tidy on every source file of ours, in parallel; what was found clean is remembered.

It looks at the translation units of the clang build, each of which joins several files: first with
everything but the static analyzer at each, then with the analyzer, which takes longest.

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
from .results import Case, Result

_PROGRAM = "clang-tidy-19"
_CLEAN = CACHE / "clang-tidy"


@dataclass(frozen=True)
class _Unit:
    """What one translation unit is for, how it is compiled, and what the compiler read."""

    name: str
    source: Path
    command: str
    reads: tuple[str, ...]


@dataclass(frozen=True)
class _Pass:
    """A part of the checks."""

    label: str
    options: tuple[str, ...]


_PASSES = (
    _Pass("clang-tidy", ("--checks=-clang-analyzer-*",)),
    # In a unit that joins files the analyzer takes each of them for a header. System headers are
    # none of its business all the same.
    _Pass("clang-analyzer", (
        "--checks=-*,clang-analyzer-*", "--extra-arg=-Xclang",
        "--extra-arg=-analyzer-opt-analyze-headers",
    )),
)


def run(progress: Progress, deadline: float | None) -> Result:
    """One case per translation unit and pass. After `deadline` (time.monotonic) nothing new is
    begun, and what is left is named on stdout."""
    begin = time.monotonic()
    result = Result("clang-tidy")
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
    for checks in _PASSES:
        for unit in units:
            mark = _CLEAN / _key(fixed, unit, checks)
            if mark.exists():
                result.succeed(_name(unit, checks))
            else:
                todo.append((unit, checks, mark))
    left: list[str] = []

    def check(entry: tuple[_Unit, _Pass, Path]) -> Case | None:
        unit, checks, mark = entry
        if deadline is not None and time.monotonic() > deadline:
            left.append(_name(unit, checks))
            return None
        case = _check(unit, checks)
        if not case.problem:
            mark.touch()
        progress.status(case.name)
        return case

    with progress.step(f"clang-tidy: {len(todo)} of {2 * len(units)} looks"):
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            result.cases += [case for case in pool.map(check, todo) if case is not None]
    if left:
        print(f"clang-tidy: out of time; left out: {len(left)}: {', '.join(left)}")
    result.seconds = time.monotonic() - begin
    return result


def _units(directory: Path) -> list[_Unit]:
    """Those that hold sources of ours, not generated ones."""
    database = directory / "compile_commands.json"
    if not database.exists():
        raise DevError("the clang build could not be configured, so nothing says how to compile")
    reads = _read_files(directory)
    units = []
    for entry in json.loads(database.read_text(encoding="utf-8")):
        source = (Path(entry["directory"]) / entry["file"]).resolve()
        if _is_ours(source, directory):
            output = entry["output"]
            name = f"{Path(output).parent.with_suffix('')} {_part(source)}".strip()
            units.append(_Unit(name, source, entry["command"], reads.get(output, ())))
    # Products before tests, for a run whose time is limited.
    return sorted(units, key=lambda unit: (unit.name.startswith("tests/"), unit.name))


def _is_ours(source: Path, directory: Path) -> bool:
    if not source.is_relative_to(directory):
        return source.is_relative_to(ROOT)
    return "-unity" in source.name and f"{ROOT}/" in source.read_text(encoding="utf-8")


def _part(source: Path) -> str:
    """Which of its target's units it is."""
    match = re.search(r"-unity(\d+)\.cpp$", source.name)
    return f"part {int(match[1]) + 1}" if match else source.stem


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


def _key(fixed: bytes, unit: _Unit, checks: _Pass) -> str:
    digest = hashlib.sha256(fixed)
    digest.update("\n".join(checks.options).encode())
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


def _check(unit: _Unit, checks: _Pass) -> Case:
    begin = time.monotonic()
    done = subprocess.run(
        [_PROGRAM, "--quiet", *checks.options, "-p", build.CLANG.directory, unit.source],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )
    seconds = time.monotonic() - begin
    found = _from_root(done.stdout) or done.stderr.strip()
    problem = "" if done.returncode == 0 else found or f"exit code {done.returncode}"
    return Case(_name(unit, checks), problem, seconds)


def _from_root(text: str) -> str:
    """With files named from the repository's root; a unit names them from its build directory."""
    way_up = "/".join(".." for _ in build.CLANG.directory.relative_to(ROOT).parts)
    return text.replace(f"{build.CLANG.directory}/{way_up}/", "").replace(f"{ROOT}/", "").strip()


def _name(unit: _Unit, checks: _Pass) -> str:
    return f"{checks.label} {unit.name}"
