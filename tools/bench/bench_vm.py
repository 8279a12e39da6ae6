"""The test VM for a benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import vm
from tools.dev.progress import Progress
from tools.dev.vm_session import installed_vm


@contextmanager
def bench_vm(progress: Progress, share: Path | None = None) -> Iterator[vm.Machine]:
    """`installed_vm`, with random addresses."""
    with installed_vm(progress, share) as machine:
        randomize(machine)
        yield machine


def randomize(machine: vm.Machine) -> None:
    """From now on processes have random addresses as on a host (tools/vm/hardware.py explains why
    they may not be random), and as in the runs whose numbers are stored."""
    machine.run("sysctl -q -w kernel.randomize_va_space=2", check=True)
