"""Runs other programs with their output in a log, and prints the end of the log when they fail. Ends
them with this process."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from .errors import DevError
from .paths import LOGS, ROOT
from .progress import Progress


def end_normally_on_sigterm() -> None:
    """After SIGTERM, the run ends as after Ctrl-C, and all that it has started ends with it. Call it
    on the main thread."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def environment() -> dict[str, str]:
    """The environment of tools: messages in English, and a compiler cache in the working tree."""
    env = dict(os.environ, LC_ALL="C.UTF-8", PYTHONPATH=str(ROOT))
    env.setdefault("CCACHE_DIR", str(ROOT / ".cache" / "ccache"))
    # Without these, ccache caches nothing that was compiled with a precompiled header.
    env.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")
    return env


def logged(
    label: str, command: Sequence[str | Path], progress: Progress, *, log_name: str,
    env: Mapping[str, str] | None = None, on_line: Callable[[str], None] = lambda line: None,
    tail: int = 40,
) -> None:
    """Runs `command` in the repository with its output in `.cache/logs/<log_name>.log`.

    Calls `on_line` with each line. Raises DevError with the log's last lines on failure.
    """
    LOGS.mkdir(parents=True, exist_ok=True)
    log_path = LOGS / f"{log_name}.log"
    last: deque[str] = deque(maxlen=tail)
    with progress.step(label), log_path.open("w", encoding="utf-8") as log:
        with subprocess.Popen(
            [str(word) for word in command], cwd=ROOT,
            env=dict(env if env is not None else environment()), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                log.write(line)
                last.append(line)
                on_line(line.rstrip("\n"))
    if process.returncode != 0:
        raise DevError(
            f"{label} failed (exit code {process.returncode}):\n{''.join(last)}"
            f"The whole output is in {log_path.relative_to(ROOT)}"
        )
