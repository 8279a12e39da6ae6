"""The test bed of backups: a thin volume with a tree and two snapshots of it, one before and one
after a change, blank volumes for restores, and repositories in a folder of another disk."""

from __future__ import annotations

import json
import shlex

from tests.system.calls.grpc_call import call
from tools.vm import Machine

from .samples import BenchError

_SLOW_SECONDS = 3600
_PASSWORD = "the bench's password"
_REPOSITORIES = "/var/lib/lvmd/repositories"
_VOLUME_BYTES = 2 << 30
# stage.py configures lvmd for vg0.
_STAGE = f"""
set -e
vgcreate -q vg0 /dev/disk/by-id/virtio-data0
lvcreate -q -y --type thin-pool -L 7G -n pool0 vg0
mkfs.ext4 -q -E lazy_itable_init=0 /dev/disk/by-id/virtio-data1
mkdir -p {_REPOSITORIES} /run/bench/plain /run/bench/back/volume /run/bench/source
mount /dev/disk/by-id/virtio-data1 {_REPOSITORIES}
"""
# Data without repetitions that cannot be compressed.
_WRITE = """
import os, sys
root, size, files = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
each = size // files
for number in range(files):
    folder = f"{root}/{number % 100}"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/{number}", "wb") as file:
        left = each
        while left:
            left -= file.write(os.urandom(min(left, 1 << 20)))
"""
# One byte in a hundred is changed in one place: a part of many files, or a part of one file.
_CHANGE = """
import os, sys
root, size, files = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
left = size // 100
for number in range(files):
    if left <= 0:
        break
    with open(f"{root}/{number % 100}/{number}", "r+b") as file:
        file.seek(0 if files > 1 else size // 2)
        left -= file.write(os.urandom(min(left, size // files)))
"""


class TransferStage:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.shell(_STAGE)

    def shell(self, command: str) -> str:
        return self.machine.run(command, timeout=_SLOW_SECONDS, check=True).output.strip()

    def seconds(self, command: str) -> float:
        """The time of the command, with cold caches, by the VM's clock."""
        self.shell("sync; echo 3 >/proc/sys/vm/drop_caches")
        said = self.shell(f"begin=$(date +%s%N); {command} >/run/bench/said 2>&1 || "
                          "{ cat /run/bench/said; exit 1; }; echo $(($(date +%s%N) - begin))")
        return round(int(said.split()[-1]) / 1e9, 3)

    def make_source(self, size: int, files: int) -> None:
        """The tree, and the snapshots `first` and `second`, which differ in a hundredth."""
        self.shell(f"lvcreate -q -y -V {_VOLUME_BYTES}b -n source --thinpool vg0/pool0 && "
                   "mkfs.ext4 -q /dev/vg0/source && mount /dev/vg0/source /run/bench/source")
        for script, name in ((_WRITE, "first"), (_CHANGE, "second")):
            words = shlex.join(["python3", "-c", script, "/run/bench/source", str(size),
                                str(files)])
            self.shell(f"{words} && sync && lvcreate -q -s -k n -a y -p r -n {name} vg0/source")

    def remove_source(self) -> None:
        self.shell("umount /run/bench/source && lvremove -qfy vg0/first vg0/second vg0/source")

    def make_repository(self, path: str) -> None:
        """An empty repository, as after the first backup ever: creating the key takes seconds."""
        self.shell(f"{_plain(path)} init >/dev/null")

    def remove_repository(self, path: str) -> None:
        self.shell(f"rm -rf {path}; fstrim {_REPOSITORIES} || true")

    def make_blank(self, name: str) -> None:
        self.shell(f"lvcreate -q -y -V {_VOLUME_BYTES}b -n {name} --thinpool vg0/pool0")


def _plain(repository: str) -> str:
    return (f"RESTIC_PASSWORD={shlex.quote(_PASSWORD)} RESTIC_CACHE_DIR=/run/bench/cache "
            f"restic --json -r {repository}")


class PlainRestic:
    """restic by hand, with the mounted snapshot."""

    def __init__(self, stage: TransferStage, turn: int) -> None:
        self._stage = stage
        self.repository = f"{_REPOSITORIES}/plain-{turn}"

    def backup(self, snapshot: str) -> float:
        self._stage.shell(f"mount -o ro,noload /dev/vg0/{snapshot} /run/bench/plain")
        took = self._stage.seconds(f"{_plain(self.repository)} backup /run/bench/plain")
        self._stage.shell("umount /run/bench/plain")
        return took

    def restore(self) -> float:
        self._stage.make_blank("blank")
        self._stage.shell("mkfs.ext4 -q /dev/vg0/blank && "
                          "mount /dev/vg0/blank /run/bench/back/volume")
        took = self._stage.seconds(f"{_plain(self.repository)} restore latest:/run/bench/plain "
                                   "--target /run/bench/back/volume --sparse --verify")
        self._stage.shell("umount /run/bench/back/volume && lvremove -qfy vg0/blank")
        return took

    def forget(self) -> None:
        self._stage.remove_repository(self.repository)
        self._stage.shell("rm -rf /run/bench/cache")


class Transfers:
    """The same through TransferService: from before Start until the end of Watch."""

    def __init__(self, stage: TransferStage, turn: int) -> None:
        self._stage = stage
        self.repository = f"{_REPOSITORIES}/lvmd-{turn}"
        self._first = ""

    def backup(self, snapshot: str) -> float:
        identity = self._identity()
        self._first = self._first or identity
        return self._timed("StartBackup", "OPERATION_BACKUP", identity, {"name": snapshot})

    def restore(self) -> float:
        self._stage.make_blank("blank")
        took = self._timed("StartRestore", "OPERATION_RESTORE", self._identity(),
                           {"name": "blank", "backup_id": self._first})
        self._stage.shell("lvremove -qfy vg0/blank")
        return took

    def forget(self) -> None:
        self._stage.remove_repository(self.repository)

    def _identity(self) -> str:
        return f"bench-{self._stage.shell('cat /proc/sys/kernel/random/uuid')}"

    def _timed(self, method: str, operation: str, identity: str, more: dict[str, str]) -> float:
        """Both calls are in one command, so that the host's work between two commands is not
        measured."""
        name = {"operation": operation, "id": identity}
        request = {"id": identity, "device_class": "thin", **more,
                   "repository": {"location": self.repository},
                   "credentials": {"password": _PASSWORD}}
        service = "unix:///run/topolvm/lvmd.sock lvmd.v1.TransferService"
        took = self._stage.seconds(
            f"bash -c {shlex.quote(_calls(service, method, request, name))}")
        ended = call(self._stage.machine, "lvmd.v1.TransferService/Get", name)
        if not ended.ok or ended.response["phase"] != "PHASE_SUCCEEDED":
            raise BenchError(f"{method} of {more}: {ended} {ended.messages}")
        return took


def _calls(service: str, method: str, request: dict[str, object], name: dict[str, str]) -> str:
    start, watch = (shlex.quote(json.dumps(each)) for each in (request, name))
    return (f"set -e; grpcurl -plaintext -d {start} {service}/{method}; "
            f"grpcurl -plaintext -d {watch} {service}/Watch")
