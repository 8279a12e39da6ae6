"""A node for cases in Python: the test VM with a volume group, and lvmd as a systemd unit."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from tests.differential.compare import Answer
from tools.dev import paths
from tools.vm import Machine, ensure_snapshot

SOCKET = "/run/topolvm/lvmd.sock"
READ_ONLY_SOCKET = "/run/topolvm/lvmd-ro.sock"
_SLOW_SECONDS = 300
_EMULATED = "QEMU TCG"
_GROUP = """
set -e
vgcreate -q vg_n /dev/disk/by-id/virtio-data0
lvcreate -q -y --type thin-pool -L 512M -n pool vg_n
mkdir -p /etc/topolvm /run/case
"""
_CONFIG = """\
device-classes:
  - {name: thick, volume-group: vg_n, default: true, spare-gb: 0}
  - name: thin
    volume-group: vg_n
    type: thin
    spare-gb: 0
    thin-pool: {name: pool, overprovision-ratio: 2.0}
lvcreate-option-classes:
  - {name: refused, options: [--no-such-option]}
"""


class Node:
    """Creates a VG with a thin pool and starts lvmd. `group` and `config` replace both. Without
    `start`, lvmd does not run."""

    def __init__(self, machine: Machine, group: str = _GROUP, config: str = _CONFIG,
                 start: bool = True) -> None:
        self._machine = machine
        processors = machine.run("cat /proc/cpuinfo", timeout=_SLOW_SECONDS, check=True).output
        self.time_factor = 4 if _EMULATED in processors else 1
        """Limits of docs/protocol.md are for a real processor. A case multiplies them by this."""
        self.shell(group)
        machine.write_file("/etc/topolvm/lvmd.yaml", config.encode())
        if start:
            self.shell("systemctl start lvmd.socket lvmd.service")

    def shell(self, command: str) -> str:
        """The command's output. The case fails if the command does."""
        return self._machine.run(command, timeout=_SLOW_SECONDS, check=True).output.strip()

    def run(self, command: str) -> tuple[int, str]:
        """The exit code and the output."""
        done = self._machine.run(command, timeout=_SLOW_SECONDS)
        return done.exit_code, done.output.strip()

    def throttle(self, disk: str, bytes_per_second: int) -> None:
        self._machine.throttle(disk, bytes_per_second)

    def write(self, path: str, content: str | bytes) -> None:
        self._machine.write_file(
            path, content.encode() if isinstance(content, str) else content)

    def call(self, method: str, socket: str = SOCKET, **request: Any) -> Answer:
        return _answer(self.shell(_command(socket, method, request)))

    def begin(self, label: str, method: str, **request: Any) -> None:
        """Starts a call. `end` waits for its response."""
        command = _command(SOCKET, method, request)
        self.shell(f"rm -f /run/case/{label}*; ({command} >/run/case/{label}.part; "
                   f"mv /run/case/{label}.part /run/case/{label}) >/dev/null 2>&1 &")

    def end(self, label: str) -> Answer:
        return _answer(self.shell(f"until test -e /run/case/{label}; do sleep 0.2; done; "
                                  f"cat /run/case/{label}"))

    def must(self, method: str, **request: Any) -> dict[str, Any]:
        answer = self.call(method, **request)
        if not answer.ok:
            raise AssertionError(f"{method} {request}: {answer}")
        return answer.response


def _command(socket: str, method: str, request: dict[str, Any]) -> str:
    line = json.dumps([{"socket": socket, "method": method, "request": request}])
    return f"/usr/lib/lvmd/tests/diff-client <<<{shlex.quote(line)}"


def _answer(output: str) -> Answer:
    answer, = json.loads(output)
    return Answer(answer["code"], answer["message"], answer.get("response", {}))


def machine(share: Path | None = None) -> Machine:
    """The VM with this build. The caller enters its context. `share` is readable at /mnt."""
    return Machine(ensure_snapshot(paths.CACHE / "vm"), build_tree=paths.INSTALL_TREE, share=share)
