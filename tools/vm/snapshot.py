"""Boots the VM once and saves it: its memory in a file, and its disks at that moment.

The state is written by QEMU's migration, not as an internal snapshot of a disk. So the saved disks
are never written again, any number of machines can use them at a time, and a start copies nothing.
"""

import shlex
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from . import disks, hardware, qemu
from .accel import choose_accelerator
from .agent import Agent, AgentError
from .entry import BuildError, digest, entry
from .image import ensure_image, image_id
from .install import INSTALL, INSTALL_SECONDS
from .progress import Progress, Report
from .variant import Variant

BOOT_SECONDS = 900.0
# Commands that run before the state is saved. Every restored machine has the modules and files that
# they load and create.
PREPARATION = """
set -ex
# Not --wait: on a busy host it was seen to miss the end of the boot, and then it waits for ever.
while state=$(systemctl is-system-running || true); [[ $state =~ ^(initializing|starting)$ ]]; do
  sleep 0.5
done
[[ $state = running ]] || { systemctl --failed --no-pager; exit 1; }
until ip -4 address show | grep -q 'inet 10\\.0\\.2\\.15/'; do sleep 0.2; done
udevadm settle
for serial in data0 data1 data2 data3 data4 data5 build share; do
  test -b /dev/disk/by-id/virtio-$serial
done
vgs; lvs; pvs -a >/dev/null
podman info >/dev/null
curl --version >/dev/null
"""
# Each machine has another disk in this place, so nothing of this one may stay in memory.
_FORGET_BUILD = "blockdev --flushbufs /dev/disk/by-id/virtio-build\n"
_SETTLED = "journalctl --sync; sync"


@dataclass(frozen=True)
class Snapshot:
    """A saved VM. Its files never change."""

    directory: Path
    image: Path
    accelerator: str

    @property
    def state(self) -> Path:
        return self.directory / "state"

    def media(self, build: Path, share: Path) -> hardware.Media:
        return _media(self.image, self.directory, build, share)


def ensure_snapshot(
    cache: Path, progress: Report | None = None, variant: Variant | None = None,
) -> Snapshot:
    """The snapshot for the current packages, agent and QEMU, of the plain VM or a variant. Makes it
    if it does not exist, which takes about four minutes. Raises BuildError or QemuError.
    """
    report = progress or Progress()
    variant = variant or Variant()
    cache = cache.resolve()
    image = ensure_image(cache, report, variant)
    accelerator = choose_accelerator(cache, image, report)
    nowhere = Path("/")
    words = hardware.arguments(
        accelerator, _media(nowhere, nowhere, nowhere, nowhere), discard_writes=False
    )
    sizes = f"{hardware.DATA_DISKS} {hardware.EXCHANGE_DISKS}"
    key = digest(
        image_id(image), qemu.version(), " ".join(words), sizes, Path(__file__), *variant.parts()
    )
    directory = entry(
        cache, variant.kind("snapshot"), key,
        lambda place: _make(place, image, accelerator, variant, report),
    )
    return Snapshot(directory, image, accelerator)


def _media(image: Path, directory: Path, build: Path, share: Path) -> hardware.Media:
    writable = {serial: directory / f"{serial}.qcow2" for serial in ("root", *hardware.DATA_DISKS)}
    return hardware.Media(image / "kernel", image / "initrd", writable, build, share)


def _make(
    directory: Path, image: Path, accelerator: str, variant: Variant, report: Report
) -> None:
    disks.make_overlay(directory / "root.qcow2", image / "root.qcow2")
    for serial, size in hardware.DATA_DISKS.items():
        disks.make_empty(directory / f"{serial}.qcow2", size)
    exchange = {serial: directory / f"{serial}.img" for serial in hardware.EXCHANGE_DISKS}
    tree = directory / "tree"
    variant.copy_files(tree)
    for serial, size in hardware.EXCHANGE_DISKS.items():
        disks.make_filled(exchange[serial], size, tree if serial == "build" else None)
    shutil.rmtree(tree)
    media = _media(image, directory, **exchange)
    report(f"booting the VM ({accelerator})")
    machine = qemu.Qemu(
        hardware.arguments(accelerator, media, discard_writes=False), directory / "console.log",
        directory,
    )
    try:
        _boot(Agent(machine.agent), variant, report)
        report("saving the VM")
        _save(machine, directory / "state")
    except (AgentError, BuildError) as error:
        raise BuildError(f"{error}\n{machine.diagnosis()}") from None
    finally:
        machine.quit()
    for path in exchange.values():
        path.unlink()
    report("the VM is ready")


def _boot(agent: Agent, variant: Variant, report: Report) -> None:
    agent.wait_for_start(BOOT_SECONDS)
    agent.sync(60)
    report("the VM's agent answers; waiting for the end of the boot")
    _run(agent, PREPARATION, BOOT_SECONDS)
    if variant.files:
        _run(agent, INSTALL + _FORGET_BUILD, INSTALL_SECONDS)
    if variant.preparation:
        report(f"preparing the VM ({variant.name})")
        _run(agent, variant.preparation, BOOT_SECONDS)
    _run(agent, _SETTLED, BOOT_SECONDS)


def _run(agent: Agent, script: str, seconds: float) -> None:
    done = agent.run(["/bin/bash", "-c", script], timeout=seconds)
    if done.exit_code != 0:
        raise BuildError(f"the VM did not come up as it should:\n{done.output}")


def _save(machine: qemu.Qemu, state: Path) -> None:
    machine.execute("stop")
    machine.execute("migrate-set-parameters", **{"max-bandwidth": 1 << 40})
    machine.execute("migrate", uri=f"exec:cat >{shlex.quote(str(state))}")
    while (migration := machine.execute("query-migrate")).get("status") not in (
        "completed", "failed", "cancelled",
    ):
        time.sleep(0.1)
    if migration["status"] != "completed":
        raise BuildError(
            f"QEMU could not save the VM: {migration.get('error-desc', migration['status'])}"
        )
