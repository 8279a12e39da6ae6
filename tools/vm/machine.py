"""A VM restored from the snapshot, for one use. No change in it is kept."""

import shlex
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

from . import disks, hardware, qemu
from .agent import Agent, AgentError, Completed
from .install import INSTALL, INSTALL_SECONDS
from .progress import Report
from .shell import interactive_shell
from .snapshot import BOOT_SECONDS, Snapshot

RESTORE_SECONDS = 120.0


class CommandFailed(Exception):
    """A command in the VM that must succeed has failed."""

    def __init__(self, command: str, completed: Completed) -> None:
        reason = (
            "ran out of time"
            if completed.timed_out
            else f"ended with exit code {completed.exit_code}"
        )
        super().__init__(f"in the VM, this {reason}: {command}\n{completed.output}")
        self.completed = completed


class Machine:
    """A restored VM, for use as a context manager. Several can run at a time.

    `build_tree`: a directory with the layout of `/` (from `meson install --destdir`), which is
    installed in the VM as a package would be. `share`: a directory that is readable in the VM at
    /mnt, with its present content. `forward_ports`: maps TCP ports of the host's loopback to ports
    of the guest. `processors`: at most `hardware.PROCESSORS`; the guest's kernel takes the others
    offline. The thread that enters the context must not end before it: QEMU ends with that thread.
    """

    def __init__(
        self, snapshot: Snapshot, build_tree: Path | None = None, share: Path | None = None,
        forward_ports: Mapping[int, int] | None = None, progress: Report | None = None,
        processors: int = hardware.PROCESSORS,
    ) -> None:
        self._snapshot = snapshot
        self._build_tree = build_tree
        self._share = share
        self._forward_ports = forward_ports
        self._processors = processors
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
        # QEMU has all files open once the guest answers, so no file remains, however the process
        # ends.
        with tempfile.TemporaryDirectory(
            prefix="machine-", dir=self._snapshot.directory.parent
        ) as directory:
            scratch = Path(directory)
            self._restore(scratch)
        for number in range(self._processors, hardware.PROCESSORS):
            self.run(f"echo 0 >/sys/devices/system/cpu/cpu{number}/online", check=True)
        self._mount_share()
        if self._build_tree:
            self._report("installing the build in the VM")
            self.run(INSTALL, timeout=INSTALL_SECONDS, check=True)

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
        """Runs a command as root and waits for its end: a string with bash, a list without a shell.

        Writes `data` to its stdin, and calls `on_output` with each piece of its output (stdout and
        stderr) when it arrives. Kills a command that takes longer than `timeout` seconds. Redirect
        the output of a process that continues after the command. With `check`, raises CommandFailed
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
        """`power_off`, then `power_on` at once."""
        self.power_off()
        self.power_on()

    def power_off(self) -> None:
        """Stops the machine at once. Until `power_on`, nothing in it runs, and `run` must not be
        called. Data that the guest had not written to its disks is lost: call sync(1) first if it
        must be kept. This includes the build."""
        self._running()[1].execute("stop")

    def power_on(self) -> None:
        """After `power_off`. Returns when the machine has booted again, which takes minutes without
        KVM."""
        machine = self._running()[1]
        machine.execute("set-action", reboot="reset")
        machine.execute("system_reset")
        # A reset takes effect later, and the guest must not go on before.
        while machine.execute("query-status")["status"] == "paused":
            time.sleep(0.05)
        machine.execute("cont")
        self._agent = Agent(machine.agent)
        self._agent.wait_for_start(BOOT_SECONDS)
        self._agent.sync(RESTORE_SECONDS)
        self._mount_share()

    def throttle(self, disk: str, bytes_per_second: int) -> None:
        """Limits the speed of the disk ("data1"); 0: no limit. Waiting requests continue when the
        limit is removed."""
        self._running()[1].execute(
            "block_set_io_throttle", device=disk, bps=bytes_per_second, bps_rd=0, bps_wr=0, iops=0,
            iops_rd=0, iops_wr=0)

    def write_file(self, path: str, content: bytes, mode: int = 0o644) -> None:
        """Creates or replaces a file. Creates missing directories."""
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
        """The content of a file. Raises CommandFailed, with the reason, if it can't be read."""
        return self.run(["cat", "--", path], check=True).data

    def interactive_shell(self) -> int:
        """Runs a shell on the terminal of this process. Returns its exit code."""
        return interactive_shell(self._running()[0])

    def console(self) -> str:
        """The output of the guest's serial console since the restore: kernel messages."""
        return self._qemu.console_text() if self._qemu else ""

    def close(self) -> None:
        """Ends the VM at once. Safe to call again."""
        if self._qemu:
            self._qemu.quit()
        self._qemu = None
        self._agent = None
