"""A node on which volumes are mounted, backed up and restored: two VGs, and a disk for
repositories."""

from __future__ import annotations

import json
import shlex
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.system.calls.grpc_call import Answer, call
from tests.system.stores import RestStore, S3Store
from tools.vm import Machine

from .node import SOCKET, Node
from .tree_on_node import Trees

MIB = 1 << 20
PASSWORD = "repository-secret-Hk5Ws9vRb1"
LOCAL_ROOT = "/var/lib/lvmd/repositories"
MOUNTS = "/run/lvmd/mounts"
_SERVICE = "lvmd.v1.TransferService"
_SLOW_SECONDS = 900
_GROUP = f"""
set -e
vgcreate -q vg_a /dev/disk/by-id/virtio-data0
lvcreate -q -y --type thin-pool -L 6G -n pool vg_a
vgcreate -q vg_b /dev/disk/by-id/virtio-data1
mkfs.ext4 -q /dev/disk/by-id/virtio-data4
mkdir -p {LOCAL_ROOT} /etc/topolvm /run/case
mount /dev/disk/by-id/virtio-data4 {LOCAL_ROOT}
"""
_CONFIG = f"""\
device-classes:
  - {{name: other, volume-group: vg_b, default: true, spare-gb: 0}}
  - name: thin
    volume-group: vg_a
    type: thin
    spare-gb: 0
    thin-pool: {{name: pool, overprovision-ratio: 10.0}}
mount-roots: [{MOUNTS}]
transfers:
  local-roots: [{LOCAL_ROOT}]
  cpu-percent: 200
  max-running: 2
"""


@dataclass(frozen=True)
class Target:
    """A repository, with the fields of a request."""

    location: str
    more: dict[str, Any] = field(default_factory=dict)
    credentials: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    """For restic by hand."""

    def words(self, **changed: str) -> dict[str, Any]:
        """The fields of a request. `changed` replaces credentials by wrong ones."""
        return {"repository": {"location": self.location, **self.more},
                "credentials": {"password": PASSWORD, **self.credentials, **changed}}


def local(name: str) -> Target:
    return Target(f"{LOCAL_ROOT}/{name}")


def remote(store: S3Store | RestStore, name: str, port: int = 0) -> Target:
    """In the store; with `port`, through a relay."""
    return Target(store.location(name, port or store.port), store.repository, store.credentials,
                  store.environment)


class TransferNode(Node):
    def __init__(self, machine: Machine) -> None:
        super().__init__(machine, _GROUP, _CONFIG)
        self.machine = machine
        self.trees = Trees(self)

    # Volumes and mounts.

    def make(self, name: str, size_mib: int, device_class: str = "thin") -> None:
        self.must("CreateLV", name=name, device_class=device_class, size_bytes=size_mib * MIB)

    def snapshot(self, source: str, name: str) -> None:
        self.must("CreateLVSnapshot", name=name, device_class="thin", source_volume=source,
                  access_type="ro")

    def mount(self, name: str, device_class: str = "thin", **words: Any) -> str:
        """Mounts it below the first root. Returns the target."""
        answer = call(self.machine, "lvmd.v1.MountService/Mount",
                      {"name": name, "device_class": device_class, **words})
        if not answer.ok:
            raise AssertionError(f"Mount {name} {words}: {answer}")
        return str(answer.response["mount"]["target"])

    def unmount(self, name: str, device_class: str = "thin") -> None:
        answer = call(self.machine, "lvmd.v1.MountService/Unmount",
                      {"name": name, "device_class": device_class})
        if not answer.ok:
            raise AssertionError(f"Unmount {name}: {answer}")

    def source(self, name: str, kind: str, size_mib: int, hole_mib: int = 32) -> str:
        """A mounted thin volume with an odd tree. Returns the target of the mount."""
        self.make(name, size_mib)
        target = self.mount(name, fs_type=kind, format=True)
        self.trees.make(target, hole_mib)
        return target

    @contextmanager
    def writer(self, folder: str) -> Iterator[None]:
        """In the context, a program writes into `folder` all the time."""
        script = ("n=0; while :; do n=$((n + 1)); head -c 300k /dev/urandom >written-$((n % 20)); "
                  "mkdir -p moved-$((n % 7)); mv written-$((n % 20)) moved-$((n % 7))/; sync .; "
                  "sleep 0.2; done")
        self.shell(f"systemd-run --quiet --collect --unit=writer --working-directory={folder} "
                   f"bash -c {shlex.quote(script)}")
        try:
            yield
        finally:
            self.shell("systemctl stop writer")

    # Transfers.

    def start(self, method: str, target: Target, identity: str = "", wrong: dict[str, str] | None = None,
              **words: Any) -> Answer:
        """StartBackup, StartRestore, DeleteBackup or StartCheck. Uses a new id if none is given."""
        request = {"id": identity or new_id(), **target.words(**(wrong or {})), **words}
        deadline = time.monotonic() + _SLOW_SECONDS
        # On a busy host restic does not start in lvmd's time limit, and lvmd tries again.
        while "has not printed its version" in (answer := self.transfers(method, request)).message:
            if time.monotonic() > deadline:
                raise AssertionError(f"restic does not start: {answer}")
            time.sleep(1)
        return answer

    def transfers(self, method: str, request: dict[str, Any]) -> Answer:
        return call(self.machine, f"{_SERVICE}/{method}", request)

    def end(self, started: Answer, seconds: int = _SLOW_SECONDS) -> dict[str, Any]:
        """Watches a transfer to its end. Returns its last message."""
        if not started.ok:
            raise AssertionError(f"the transfer was not started: {started}")
        watched = call(self.machine, f"{_SERVICE}/Watch", name_of(started.response), seconds)
        if not watched.ok:
            raise AssertionError(f"Watch: {watched}, last {watched.messages[-1:]}")
        return watched.response

    def succeed(self, started: Answer) -> dict[str, Any]:
        ended = self.end(started)
        if ended["phase"] != "PHASE_SUCCEEDED":
            raise AssertionError(f"it has not succeeded: {ended}")
        return ended

    def get(self, transfer: dict[str, Any]) -> dict[str, Any]:
        return self.transfers("Get", name_of(transfer)).response

    def await_copying(self, started: Answer, megabytes: int = 0) -> dict[str, Any]:
        """Waits until it has read this number of bytes, while it runs."""
        if not started.ok:
            raise AssertionError(f"the transfer was not started: {started}")
        transfer = started.response
        deadline = time.monotonic() + _SLOW_SECONDS
        while time.monotonic() < deadline:
            transfer = self.get(transfer)
            if transfer["phase"] not in ("PHASE_PENDING", "PHASE_RUNNING"):
                raise AssertionError(f"it has ended before anything could be done to it: {transfer}")
            done = int((transfer.get("progress") or {}).get("done_bytes", 0))
            if transfer["step"] == "copying" and done >= megabytes * MIB:
                return transfer
        raise AssertionError(f"it does not copy: {transfer}")

    def end_after(self, started: Answer, command: str) -> tuple[float, dict[str, Any]]:
        """Runs the command. Returns the seconds from its end to the end of a Watch that was started
        before it, and the Watch's last message."""
        request = shlex.quote(json.dumps(name_of(started.response)))
        said = self.shell(
            f"grpcurl -plaintext -emit-defaults -d {request} unix://{SOCKET} {_SERVICE}/Watch "
            ">/run/case/watched & watch=$!; "
            "for _ in $(seq 300); do [ -s /run/case/watched ] && break; sleep 0.1; done; "
            f"{command}; begin=$(date +%s%N); wait $watch || exit 1; echo $(($(date +%s%N) - begin))")
        return int(said.split()[-1]) / 1e9, self.get(started.response)

    def mover(self, transfer: dict[str, Any]) -> str:
        """The shell command that prints the pid of its mover."""
        operation = transfer["operation"].removeprefix("OPERATION_").lower()
        unit = f"lvmd-transfer-{operation}-{transfer['id']}.service"
        return f"systemctl show --value --property MainPID {unit}"

    # The state afterwards.

    def restic(self, target: Target, words: str) -> str:
        variables = {"RESTIC_PASSWORD": PASSWORD, "RESTIC_REPOSITORY": target.location,
                     "RESTIC_CACHE_DIR": "/srv/cache", **target.environment}
        given = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
        return self.shell(f"{given} restic {words}")

    def snapshots(self, target: Target) -> list[dict[str, Any]]:
        """The locks in the repository."""
        return list(json.loads(self.restic(target, "--json snapshots")))

    def left_behind(self, *volumes: str) -> str:
        """Remains of any transfer some seconds after its end: processes, units, and mounts of the
        volumes ("vg_a/name") in any mount namespace. Empty if there are none."""
        devices = " ".join(f"/dev/{volume}" for volume in volumes)
        return self.shell(
            "left() { pgrep -ax restic; pgrep -ax lvmd-mover; "
            "systemctl list-units --plain --no-legend --state=active,activating,deactivating "
            "'lvmd-transfer-*'; "
            f"for device in {devices}; do number=$(lsblk -dno MAJ:MIN $device | tr -d ' '); "
            "grep -s \" $number \" /proc/[0-9]*/mountinfo; done; }; "
            "for _ in $(seq 50); do found=$(left); [ \"$found\" ] || break; sleep 0.1; done; "
            "echo \"$found\"")


def new_id() -> str:
    return str(uuid.uuid4())


def name_of(transfer: dict[str, Any]) -> dict[str, str]:
    return {"operation": transfer["operation"], "id": transfer["id"]}
