"""The description of a run, which is stored with its numbers."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import Any

from tools.vm import Machine


class Run:
    """One `./dev bench …`, which begins now."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._begin = time.monotonic()

    def told(self, machine: Machine) -> dict[str, Any]:
        """The command, the day, the VM in which it ran, and the minutes until now."""
        virtual, processors = machine.run("systemd-detect-virt; nproc", check=True).output.split()
        return {
            "command": self._command,
            "date": datetime.now(timezone.utc).date().isoformat(),
            "virtualisation": "KVM" if virtual == "kvm" else "QEMU's emulation, without KVM",
            "processors": int(processors),
            "minutes": round((time.monotonic() - self._begin) / 60, 1),
        }
