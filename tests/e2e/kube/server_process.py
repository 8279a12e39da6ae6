"""One server program: its process, its log file, and its end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .errors import KubeError

_STOP_SECONDS = 10.0


class ServerProcess:
    """Runs from construction to `stop`. Signals go to this process alone. The output is added to
    `log`. `environment` has variables beside those of this process."""

    def __init__(self, program: Path, arguments: list[str], log: Path,
                 environment: Mapping[str, str] | None = None) -> None:
        self.name = program.name
        self.log = log
        with log.open("a", encoding="utf-8") as output:
            # A separate session: Ctrl-C at the terminal reaches only the tests, which then call
            # stop.
            self._process = subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL,
                                             stdout=output, stderr=subprocess.STDOUT,
                                             env={**os.environ, **(environment or {})},
                                             start_new_session=True)

    @property
    def pid(self) -> int:
        return self._process.pid

    def check_alive(self) -> None:
        """Raises KubeError with the end of the log if the program has ended unexpectedly."""
        code = self._process.poll()
        if code is not None:
            raise KubeError(f"{self.name} ended with exit code {code}; the end of {self.log}:\n"
                            f"{self.log_end()}")

    def log_end(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])

    def kill(self) -> None:
        """Ends the program with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Ends the program, with SIGKILL if it does not end in time. Idempotent."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
