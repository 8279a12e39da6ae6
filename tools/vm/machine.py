"""A VM restored from the snapshot, for one use: what happens in it leaves no trace."""

import shlex
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

from . import disks, hardware, qemu
from .agent import Agent, AgentError, Completed
from .progress import Report
from .shell import interactive_shell
from .snapshot import BOOT_SECONDS, Snapshot

RESTORE_SECONDS = 120.0
# What a package would do after it put its files in place.
INSTALL = """
set -eo pipefail
mount -o ro /dev/disk/by-id/virtio-build /media
tar -C /media --exclude=./lost+found --owner=0 --group=0 -cf - . |
  tar -C / --keep-directory-symlink --no-overwrite-dir -xf -
umount /media
ldconfig
systemd-sysusers
systemd-tmpfiles --create
systemctl daemon-reload
"""


class CommandFailed(Exception):
    """A command that had to succeed in the VM didn't."""

    def __init__(self, command: str, completed: Completed) -> None:
        reason = (
            "ran out of time"
            if completed.timed_out
            else f"ended with exit code {completed.exit_code}"
        )
        super().__init__(f"in the VM, this {reason}: {command}\n{completed.output}")
        self.completed = completed


class Machine:
    """A restored VM, to be used as a context manager; several can run at once.

    `build_tree`: a directory laid out like `/` (what `meson install --destdir` makes), installed in
    the VM as a package would be. `share`: a directory to be read in the VM at /mnt, as it is now.
    `forward_ports`: TCP ports of the host's loopback to ports of the guest. The thread that enters
    it must live as long as it: QEMU dies with that thread.
    """

    def __init__(
        self, snapshot: Snapshot, build_tree: Path | None = None, share: Path | None = None,
        forward_ports: Mapping[int, int] | None = None, progress: Report | None = None,
    ) -> None:
        self._snapshot = snapshot
        self._build_tree = build_tree
        self._share = share
        self._forward_ports = forward_ports
        self._report = progress or (lambda message: None)
        self._qemu: qemu.Qemu | None = None
        self._agent: Agent | None = None

    def __enter__(self) -> "Machine":
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _start(self) -> None:
        self._report("restoring the VM")
        # QEMU has all files open once the guest answers, so nothing is left behind, however we end.
        with tempfile.TemporaryDirectory(
            prefix="machine-", dir=self._snapshot.directory.parent
        ) as directory:
            scratch = Path(directory)
            self._restore(scratch)
        self._mount_share()
        if self._build_tree:
            self._report("installing the build in the VM")
            self.run(INSTALL, timeout=300, check=True)

    def _mount_share(self) -> None:
        if self._share:
            self.run("mount -o ro /dev/disk/by-id/virtio-share /mnt", check=True)

    def _restore(self, scratch: Path) -> None:
        exchange = {"build": self._build_tree, "share": self._share}
        for serial, tree in exchange.items():
            disks.make_filled(scratch / serial, hardware.EXCHANGE_DISKS[serial], tree)
        media = self._snapshot.media(scratch / "build", scratch / "share")
        arguments = hardware.arguments(
            self._snapshot.accelerator, media, discard_writes=True,
            forward_ports=self._forward_ports,
        )
        arguments += ["-incoming", f"exec:cat {shlex.quote(str(self._snapshot.state))}"]
        self._qemu = qemu.Qemu(arguments, scratch / "console.log", scratch)
        deadline = time.monotonic() + RESTORE_SECONDS
        while self._qemu.execute("query-status")["status"] == "inmigrate":
            if time.monotonic() > deadline:
                raise qemu.QemuError(
                    f"the VM could not be restored in {RESTORE_SECONDS} s\n{self._qemu.diagnosis()}"
                )
            time.sleep(0.05)
        self._qemu.execute("cont")
        self._agent = Agent(self._qemu.agent)
        self._agent.sync(RESTORE_SECONDS)

    def _running(self) -> tuple[Agent, qemu.Qemu]:
        if self._agent is None or self._qemu is None:
            raise RuntimeError("the machine is not running: use it in a with statement")
        return self._agent, self._qemu

    def run(
        self, command: str | list[str], timeout: float | None = 120, *, data: bytes = b"",
        check: bool = False, on_output: Callable[[bytes], None] | None = None,
    ) -> Completed:
        """Runs a command as root: a string by bash, a list as it is. Returns when it has ended.

        `data` goes to its stdin, each piece of its output (stdout and stderr) to `on_output` when
        it comes. A command that takes longer than `timeout` seconds is killed. A process that it
        leaves running must not hold its output: redirect it. With `check`, raises CommandFailed
        unless the exit code is 0. Raises AgentError when the VM is lost.
        """
        argv = ["/bin/bash", "-c", command] if isinstance(command, str) else command
        agent, machine = self._running()
        try:
            completed = agent.run(argv, timeout=timeout, data=data, on_output=on_output)
        except AgentError as error:
            raise AgentError(
                f"{error}, while it ran: {shlex.join(argv)}\n{machine.diagnosis()}"
            ) from None
        if check and completed.exit_code != 0:
            raise CommandFailed(
                command if isinstance(command, str) else shlex.join(command), completed
            )
        return completed

    def cut_power(self) -> None:
        """Resets the machine in whatever it does and returns when it has booted again, which takes
        minutes without KVM. The disks have what the guest had written to them; what it had in
        memory only is lost: sync(1) before what must stay, the build among it."""
        machine = self._running()[1]
        machine.execute("set-action", reboot="reset")
        machine.execute("system_reset")
        self._agent = Agent(machine.agent)
        self._agent.wait_for_start(BOOT_SECONDS)
        self._agent.sync(RESTORE_SECONDS)
        self._mount_share()

    def throttle(self, disk: str, bytes_per_second: int) -> None:
        """How fast the host serves the disk ("data1") from now on; 0: as fast as it can. What waits
        goes on when the limit is lifted."""
        self._running()[1].execute(
            "block_set_io_throttle", device=disk, bps=bytes_per_second, bps_rd=0, bps_wr=0, iops=0,
            iops_rd=0, iops_wr=0)

    def write_file(self, path: str, content: bytes, mode: int = 0o644) -> None:
        """Makes or replaces a file, and the directories above it."""
        self.run(
            [
                "/bin/bash", "-c",
                'mkdir -p -- "$(dirname -- "$0")" && cat >"$0" && chmod "$1" -- "$0"', path,
                f"{mode:o}",
            ],
            data=content,
            check=True,
        )

    def read_file(self, path: str) -> bytes:
        """A file's content. Raises CommandFailed, with the reason, when it can't be read."""
        return self.run(["cat", "--", path], check=True).data

    def interactive_shell(self) -> int:
        """A shell on this process's terminal; returns its exit code."""
        return interactive_shell(self._running()[0])

    def console(self) -> str:
        """What the guest wrote to its serial console since it was restored: kernel messages."""
        return self._qemu.console_text() if self._qemu else ""

    def close(self) -> None:
        """Ends the VM at once. Safe to call again."""
        if self._qemu:
            self._qemu.quit()
        self._qemu = None
        self._agent = None
