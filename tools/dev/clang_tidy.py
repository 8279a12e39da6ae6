"""Runs clang-tidy on every translation unit of the clang build, and records units without findings.

A unit joins several files. It is checked twice: by all checks except the static analyzer, and by
the analyzer, which takes most of the time. The key of a recorded result covers clang-tidy's
version, `.clang-tidy`, the command line, and the content of every file that the compiler read.

The analyzer takes the files that a unit joins for headers, and skips functions of headers, unless
the name of the unit contains "UnifiedSource" (isInCodeFile() in clang's AnalysisManager.h). So the
analyzer checks a copy with such a name. The alternative, to analyze all headers, includes those of
gRPC and the standard library.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import build, packages
from .errors import DevError
from .paths import CACHE, ROOT
from .progress import Progress
from .results import Case, Result

_PROGRAM = "clang-tidy-19"
_CLEAN = CACHE / "clang-tidy"
_ANALYZER = "clang-analyzer"
# Each check of Catch2 has several paths, so a complete analysis of the tests takes ten times as
# long, more than that of all programs.
_SHALLOW = ("--extra-arg=-Xclang", "--extra-arg=-analyzer-config", "--extra-arg=-Xclang",
            "--extra-arg=mode=shallow")


@dataclass(frozen=True)
class _Check:
    """One pass over one translation unit."""

    name: str
    command: tuple[str, ...]
    directory: Path
    """The working directory of the command."""
    mark: Path
    """Exists if an earlier run of the same check found nothing."""


def run(progress: Progress, deadline: float | None) -> Result:
    """One case per unit and pass. After `deadline` (time.monotonic) no check starts. Prints the
    checks that are left out."""
    begin = time.monotonic()
    result = Result("clang-tidy")
    packages.ensure("full")
    try:
        checks = _checks(build.CLANG.directory)
    except DevError as error:
        result.fail("the files to check", str(error))
        return result
    _CLEAN.mkdir(parents=True, exist_ok=True)
    todo = [check for check in checks if not check.mark.exists()]
    result.cases = [Case(check.name) for check in checks if check not in todo]

    def look(check: _Check) -> None:
        if deadline is not None and time.monotonic() > deadline:
            result.left_out.append(check.name)
            return
        case = _look(check)
        if not case.problem:
            check.mark.touch()
        progress.status(case.name)
        result.cases.append(case)

    with (progress.step(f"clang-tidy: {len(todo)} of {len(checks)} checks"),
          ThreadPoolExecutor(os.cpu_count() or 2) as pool):
        list(pool.map(look, todo))
    if result.left_out:
        print(f"clang-tidy: out of time; left out: {len(result.left_out)}: "
              f"{', '.join(result.left_out)}")
    result.seconds = time.monotonic() - begin
    return result


def _checks(directory: Path) -> list[_Check]:
    """The checks of units with sources of this repository. The analyzer and tests are last, because
    the time may be too short for all."""
    database = directory / "compile_commands.json"
    if not database.exists():
        raise DevError("there is no clang build, so the compile commands are unknown")
    reads = _read_files(directory)
    version = subprocess.run([_PROGRAM, "--version"], check=True, capture_output=True).stdout
    configuration = (ROOT / ".clang-tidy").read_text(encoding="utf-8")
    # --checks of a command line comes after the list of the configuration, and `-*` empties it.
    left_out = re.findall(rf"^ +- (-{_ANALYZER}-\S+)$", configuration, re.MULTILINE)
    passes = {"clang-tidy": [f"--checks=-{_ANALYZER}-*"],
              _ANALYZER: [f"--checks={','.join(['-*', f'{_ANALYZER}-*', *left_out])}"]}
    found = []
    for entry in json.loads(database.read_text(encoding="utf-8")):
        source = (Path(entry["directory"]) / entry["file"]).resolve()
        if not _is_ours(source, directory):
            continue
        part = re.search(r"-unity(\d+)\.cpp$", source.name)
        unit = (f"{Path(entry['output']).parent.with_suffix('')} "
                f"{f'part {int(part[1]) + 1}' if part else source.stem}")
        for name, options in passes.items():
            if name == _ANALYZER and unit.startswith("tests/"):
                options = [*options, *_SHALLOW]
            text = "\n".join((configuration, *options, entry["command"]))
            digest = hashlib.sha256(version + text.encode())
            files = reads.get(entry["output"], ())
            for path in sorted({str(source), *files}):
                digest.update(path.encode() + _content(path))
            # not compiled, so the files that it reads are unknown: no result is recorded
            if not files:
                digest.update(os.urandom(16))
            file = _unified(source) if name == _ANALYZER and part else source
            command = (_PROGRAM, "--quiet", *options, str(file), "--",
                       *_compiler_options(entry["command"]))
            found.append(_Check(f"{name} {unit}", command, Path(entry["directory"]),
                                _CLEAN / digest.hexdigest()))
    return sorted(found, key=lambda check: (check.name.startswith(_ANALYZER),
                                            " tests/" in check.name, check.name))


def _unified(source: Path) -> Path:
    """A copy of the unit whose files the analyzer does not take for headers."""
    copy = source.with_name(f"UnifiedSource-{source.name}")
    copy.write_bytes(source.read_bytes())
    return copy


def _compiler_options(command: str) -> list[str]:
    """The options of a compile command, without the program and the names of files."""
    words = shlex.split(command)
    return words[words.index(build.CLANG.compiler) + 1:words.index("-o")]


def _is_ours(source: Path, directory: Path) -> bool:
    if not source.is_relative_to(directory):
        return source.is_relative_to(ROOT)
    return "-unity" in source.name and f"{ROOT}/" in source.read_text(encoding="utf-8")


def _read_files(directory: Path) -> dict[str, list[str]]:
    """For each object file, the files that the compiler read, as recorded by Ninja."""
    listed = subprocess.run(["ninja", "-C", directory, "-t", "deps"], check=True,
                            capture_output=True, text=True).stdout
    found = {}
    for block in re.split(r"\n\n+", listed):
        head, *files = block.splitlines() or [""]
        if match := re.match(r"(\S+): #deps", head):
            found[match[1]] = [str((directory / file.strip()).resolve()) for file in files]
    return found


@cache
def _content(path: str) -> bytes:
    try:
        return hashlib.sha256(Path(path).read_bytes()).digest()
    except FileNotFoundError:
        return b"missing"


def _look(check: _Check) -> Case:
    begin = time.monotonic()
    done = subprocess.run(check.command, cwd=check.directory, check=False, capture_output=True,
                          text=True)
    # A unit names files from its build directory; findings name them from the repository's root.
    way_up = "/".join(".." for _ in build.CLANG.directory.relative_to(ROOT).parts)
    found = done.stdout.replace(f"{build.CLANG.directory}/{way_up}/", "").replace(f"{ROOT}/", "")
    problem = found.strip() or done.stderr.strip() or f"exit code {done.returncode}"
    return Case(check.name, problem if done.returncode else "", time.monotonic() - begin)
