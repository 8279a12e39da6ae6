"""The fuzzers of tests/fuzz: each is a case that passes when nothing is found within its time."""

from __future__ import annotations

import subprocess
import time

from . import build, process
from .paths import CACHE, ROOT
from .progress import Progress
from .results import Case, SuiteResult
from .suite import Choice

_SOURCES = ROOT / "tests/fuzz"
_FINDINGS = CACHE / "fuzz"


class FuzzSuite:
    """Builds them with clang's sanitizers and runs each for `seconds`. What one finds stays in
    `.cache/fuzz/<name>`, as do the inputs that it learned, from which the next run goes on."""

    def __init__(self, name: str, seconds: int) -> None:
        self.name = name
        self.groups = ("base", "build", "fuzz")
        self.limit = seconds * len(_names())
        self._seconds = seconds

    def prepare(self, progress: Progress) -> None:
        """Nothing: its build would only slow the others down."""

    def list_cases(self, progress: Progress) -> list[str]:
        return [f"fuzz {name}" for name in _names()]

    def run(self, choice: Choice, progress: Progress) -> SuiteResult:
        names = [name for name in _names() if choice.pattern.lower() in f"fuzz {name}".lower()]
        result = SuiteResult(self.name)
        if not names:
            return result
        directory = build.build(progress, _variant())
        for name in names:
            if choice.over():
                result.left_out.append(f"fuzz {name}")
                continue
            with progress.step(f"fuzzing {name} for {self._seconds} s"):
                result.cases.append(self._fuzz(directory / f"tests/fuzz/fuzz-{name}", name))
        return result

    def _fuzz(self, program: object, name: str) -> Case:
        corpus = _FINDINGS / name / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        command = [str(program), f"-max_total_time={self._seconds}", "-timeout=10",
                   "-rss_limit_mb=2048", "-max_len=16384", "-print_final_stats=1",
                   f"-artifact_prefix={_FINDINGS / name}/", str(corpus),
                   str(_SOURCES / "seeds" / name)]
        begin = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env=process.environment(), text=True,
                              errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        output = "" if done.returncode == 0 else "\n".join(done.stdout.splitlines()[-40:])
        return Case(f"fuzz {name}", done.returncode == 0, time.monotonic() - begin, output)


def _names() -> list[str]:
    return sorted(path.stem.removeprefix("fuzz_") for path in _SOURCES.glob("fuzz_*.cpp"))


def _variant() -> build.Variant:
    return build.Variant(
        "fuzz", "clang++-19",
        ("-Dwerror=true", "-Dtests=false", "-Dfuzz=true", "-Db_sanitize=address,undefined",
         "-Db_lundef=false", "-Dcpp_args=-fsanitize=fuzzer-no-link -fno-sanitize-recover=all"),
        ("base", "build", "fuzz"),
        targets=tuple(f"tests/fuzz/fuzz-{name}" for name in _names()))
