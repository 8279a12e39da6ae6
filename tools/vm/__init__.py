"""The test VM: a Debian with systemd, LVM and podman. It is booted once, and restored from its
snapshot in seconds.

snapshot = ensure_snapshot(Path(".cache/vm"))
with Machine(snapshot, build_tree=Path("installed")) as machine:
    machine.run("vgcreate vg0 /dev/vdb", check=True)
"""

from .agent import AgentError, Completed
from .entry import BuildError
from .machine import CommandFailed, Machine
from .progress import Progress, Report
from .qemu import QemuError
from .snapshot import Snapshot, ensure_snapshot
from .variant import Variant

__all__ = [
    "AgentError", "BuildError", "CommandFailed", "Completed", "Machine", "Progress", "QemuError",
    "Report", "Snapshot", "Variant", "ensure_snapshot",
]
