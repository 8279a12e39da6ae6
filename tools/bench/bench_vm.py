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
    """`installed_vm`, like a host."""
    with installed_vm(progress, share) as machine:
        make_like_a_host(machine)
        yield machine


# The tests' VM has neither, to save time (tools/vm/README.md).
_LIKE_A_HOST = """
sysctl -q -w kernel.randomize_va_space=2
systemctl unmask --quiet systemd-logind.service
systemctl start systemd-logind.service
"""


def make_like_a_host(machine: vm.Machine) -> None:
    """From now on processes have random addresses, and logind runs."""
    machine.run(f"set -e\n{_LIKE_A_HOST}", check=True)
