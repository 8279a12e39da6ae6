"""`./dev bench csi`: from a claim to a volume in a pod, with lvmd's driver and with TopoLVM's, in one
cluster."""

from __future__ import annotations

import json
import time
import uuid
from pathlib import Path
from typing import Any

from tests.cluster import objects
from tests.cluster.claim import Claim
from tests.cluster.installation import AT_ONCE, DRIVER, THICK
from tests.cluster.stage import VOLUME_GROUP
from tests.e2e.kube import NODE, KubeError
from tools import vm
from tools.dev.errors import DevError
from tools.dev.progress import Progress
from tools.dev.vm_session import install_tree
from tools.go.build import GoToolsError

from . import csi_report, csi_stage
from .api_connection import CLAIMS, PODS
from .claim_sightings import (BOUND, CLAIM, GONE, LOGICAL_VOLUME, MADE, POD, READY, RUNNING,
                              SCHEDULED, VOLUME)
from .claim_watch import ClaimWatch
from .csi_calls import Call, CsiClient
from .csi_report import Taken
from .csi_stage import OURS, PEER, CsiStage, Driver
from .kubelet_log import PUBLISHED, STAGED
from .options import Options
from .report import table
from .run import Run
from .samples import BenchError

_TURNS = (PEER, OURS, PEER, OURS)
_SIZE_BYTES = 64 << 20
_SIZE = "64Mi"
# TopoLVM's calls take several times as long.
_PEER_SHARE = 0.2
_PODS_SHARE, _MOUNTS_SHARE = 0.1, 0.2
_AT_ONCE = 50
# What still has to be written after the last change.
_SETTLE_SECONDS = 30.0
_IDLE_SECONDS, _SHORT_IDLE_SECONDS = 120, 20
_MOUNT: dict[str, Any] = {"mount": {"fs_type": "ext4"},
                          "access_mode": {"mode": "SINGLE_NODE_WRITER"}}
_TOPOLOGY = [{"segments": {f"topology.{DRIVER}/node": NODE}}]
# Prints the microseconds. The options are those of lvmd.
_BY_HAND = """
set -e
udevadm settle
mkdir --parents {target}
begin=${{EPOCHREALTIME/./}}
mkfs.ext4 -q -F -m 0 {device} </dev/null
mount -t ext4 {device} {target}
end=${{EPOCHREALTIME/./}}
umount {target}
echo $((end - begin))
"""


def run(progress: Progress, output: Path, options: Options) -> int:
    """Measures in a separate VM, with a separate control plane on the host. Prints the table and
    writes csi.json into `output`."""
    told = Run(f"./dev bench csi {options.csi_words()}")
    install_tree(progress)
    stored: dict[str, Any] = {}
    try:
        with csi_stage.running() as stage:
            bench = _Bench(stage, options.creations, progress)
            for number, driver in enumerate(_TURNS):
                with progress.step(f"{driver.label} becomes the driver"):
                    stage.become(driver)
                bench.turn(driver, number // 2)
                if number % 2 == 1:
                    # Written after each pair of turns, because a later one may fail.
                    stored = {**csi_report.content(bench.taken[OURS], bench.taken[PEER]),
                              "run": told.told(stage.machine)}
                    (output / "csi.json").write_text(json.dumps(stored, indent=2) + "\n",
                                                     encoding="utf-8")
    except (BenchError, KubeError, GoToolsError, vm.AgentError, vm.BuildError, vm.QemuError,
            vm.CommandFailed) as error:
        raise DevError(str(error)) from error
    print(f"\n{table('CSI drivers', csi_report.rows(stored))}\n", flush=True)
    return 0


class _Bench:
    """`taken`: what has been measured of each driver. `calls`: CreateVolume calls of lvmd's driver
    in all its turns."""

    def __init__(self, stage: CsiStage, calls: int, progress: Progress) -> None:
        self.taken = {driver: Taken() for driver in (OURS, PEER)}
        self._stage = stage
        self._calls = calls
        self._progress = progress

    def turn(self, driver: Driver, turn: int) -> None:
        """The number `turn` of this driver, 0 or 1."""
        taken, last = self.taken[driver], turn == 1
        creations = self._half(1 if driver is OURS else _PEER_SHARE)
        mounts, pods = self._half(_MOUNTS_SHARE), self._half(_PODS_SHARE)
        label = f"{driver.label}, turn {turn + 1}"
        with self._progress.step(f"{label}: {creations} × CreateVolume and DeleteVolume"):
            self._create_and_delete(driver, taken, f"call-{turn}", creations)
        with self._progress.step(f"{label}: {pods} pods, one after the other"):
            self._run_pods(taken, f"pod-{turn}", pods)
        if not last:
            with self._progress.step(f"{label}: {self._at_once} claims at once"):
                self._bind_at_once(taken, f"claim-{turn}", self._at_once)
        with self._progress.step(f"{label}: memory"):
            taken.memory.append(self._stage.memory(driver))
        if driver is OURS and last:
            with self._progress.step(f"{label}: idle"):
                self._idle(taken)
        with self._progress.step(f"{label}: {mounts} × stage and publish"):
            self._mount(driver, taken, f"mount-{turn}", mounts)

    @property
    def _at_once(self) -> int:
        return min(_AT_ONCE, self._calls)

    def _half(self, share: float) -> int:
        """This share of the calls, in one of two turns."""
        return max(1, round(self._calls * share / 2))

    def _create_and_delete(self, driver: Driver, taken: Taken, prefix: str, count: int) -> None:
        with self._stage.client() as client:
            # The first call of a driver that has just started is not measured.
            self._delete(client, [self._create(client, f"{prefix}-first")[0]])
            made = [self._create(client, f"{prefix}-{number}") for number in range(count)]
            volumes = [volume for volume, _ in made]
            taken.creates += [milliseconds for _, milliseconds in made]
            taken.deletes += self._delete(client, volumes)
        if driver is OURS:
            taken.create_lvs += self._stage.create_lv_milliseconds(volumes)

    def _create(self, client: CsiClient, name: str) -> tuple[str, float]:
        """The volume's handle, and the milliseconds."""
        made = client.call("Controller/CreateVolume", {
            "name": name, "capacity_range": {"required_bytes": _SIZE_BYTES},
            "volume_capabilities": [_MOUNT], "parameters": {f"{DRIVER}/device-class": "thick"},
            "accessibility_requirements": {"requisite": _TOPOLOGY, "preferred": _TOPOLOGY}})
        self._progress.status(f"{name} made in {made.milliseconds:.0f} ms")
        return made.response["volume"]["volume_id"], made.milliseconds

    def _delete(self, client: CsiClient, volumes: list[str]) -> list[float]:
        return [client.call("Controller/DeleteVolume", {"volume_id": volume}).milliseconds
                for volume in volumes]

    def _run_pods(self, taken: Taken, prefix: str, count: int) -> None:
        """One pod after the other, each with a claim of its own. Of the first one nothing counts,
        because the provisioner may have just started."""
        seen = []
        with self._stage.watch() as watch:
            self._run_pod(watch, f"{prefix}-first")
            for number in range(count):
                seen.append(self._run_pod(watch, f"{prefix}-{number}"))
                self._progress.status(f"{number + 1} of {count} pods ran")
        mounted = self._stage.mounted()
        for volume, moments, ahead in seen:
            moments[csi_report.STAGED] = mounted[volume, STAGED] - ahead
            moments[csi_report.PUBLISHED] = mounted[volume, PUBLISHED] - ahead
            taken.claims.append(csi_report.parts(moments))

    def _run_pod(self, watch: ClaimWatch, name: str) -> tuple[str, dict[str, float], float]:
        """The PersistentVolume's name, the moments, and `clock_ahead`. Claim and pod are removed."""
        with self._stage.api() as api:
            begin = time.monotonic()
            volume = f"pvc-{api.create(CLAIMS, objects.claim(name, THICK, _SIZE))}"
            api.create(PODS, objects.pod(name, "sleep infinity", {objects.PATH: name}))
            [running] = watch.wait(POD, [name], RUNNING)
            ahead = self._stage.clock_ahead()
            moments = {csi_report.BEGIN: begin, csi_report.RUNNING: running}
            for key, kind, of, moment in (
                    (csi_report.MADE, LOGICAL_VOLUME, volume, MADE),
                    (csi_report.READY, LOGICAL_VOLUME, volume, READY),
                    (csi_report.BOUND, CLAIM, name, BOUND),
                    (csi_report.SCHEDULED, POD, name, SCHEDULED)):
                [moments[key]] = watch.wait(kind, [of], moment)
            api.delete(PODS, name)
            api.delete(CLAIMS, name)
        for kind, of in ((POD, name), (VOLUME, volume), (LOGICAL_VOLUME, volume)):
            watch.wait(kind, [of], GONE)
        return volume, moments, ahead

    def _bind_at_once(self, taken: Taken, prefix: str, count: int) -> None:
        names = [f"{prefix}-{number}" for number in range(count)]
        with self._stage.watch() as watch, self._stage.api() as api:
            begin = time.monotonic()
            uids = [api.create(CLAIMS, objects.claim(name, AT_ONCE, _SIZE)) for name in names]
            bound = max(watch.wait(CLAIM, names, BOUND, self._tell("bound"))) - begin
            begin = time.monotonic()
            for name in names:
                api.delete(CLAIMS, name)
            volumes = [f"pvc-{uid}" for uid in uids]
            gone = max(watch.wait(LOGICAL_VOLUME, volumes, GONE, self._tell("gone")) +
                       watch.wait(VOLUME, volumes, GONE)) - begin
        taken.at_once.append((count, bound, gone))

    def _tell(self, what: str) -> Any:
        return lambda text: self._progress.status(f"{what}: {text}")

    def _idle(self, taken: Taken) -> None:
        seconds = _IDLE_SECONDS if self._calls >= _AT_ONCE else _SHORT_IDLE_SECONDS
        time.sleep(_SETTLE_SECONDS)
        begin = self._stage.audited_bytes()
        time.sleep(seconds)
        taken.idle = (seconds, self._stage.requests_since(begin))

    def _mount(self, driver: Driver, taken: Taken, prefix: str, count: int) -> None:
        """By the driver and, in lvmd's turn, by hand: one volume after the other, in turns. The
        first of each does not count."""
        each = 2 if driver is OURS else 1
        by_driver, by_hand = [], []
        with self._stage.client() as client:
            volumes = [self._create(client, f"{prefix}-{number}")[0]
                       for number in range((count + 1) * each)]
            with self._stage.without_kubelet():
                for number, volume in enumerate(volumes):
                    if number % each == 0:
                        by_driver.append(self._mount_by_driver(driver, volume))
                    else:
                        by_hand.append(self._mount_by_hand(volume))
            self._delete(client, volumes)
        taken.mounts += by_driver[1:]
        taken.by_hand += by_hand[1:]

    def _mount_by_driver(self, driver: Driver, volume: str) -> dict[str, float]:
        """The milliseconds of each call, by its name. Nothing is mounted afterwards."""
        staging = f"{Claim.staging_folder(volume)}/globalmount"
        pod = f"/var/lib/kubelet/pods/{uuid.uuid4()}"
        target = f"{pod}/volumes/kubernetes.io~csi/pvc-{volume}/mount"
        request = {"volume_id": volume, "volume_capability": _MOUNT}
        mount: list[Call] = [("Node/NodePublishVolume", {**request, "target_path": target})]
        unmount: list[Call] = [
            ("Node/NodeUnpublishVolume", {"volume_id": volume, "target_path": target})]
        if driver is OURS:
            staged = {"staging_target_path": staging}
            mount[0][1].update(staged)
            mount.insert(0, ("Node/NodeStageVolume", {**request, **staged}))
            unmount.append(("Node/NodeUnstageVolume", {"volume_id": volume, **staged}))
        # kubelet makes these folders.
        self._stage.node.shell(f"mkdir --parents {staging} $(dirname {target}) && udevadm settle")
        answers = self._stage.call_node(driver, *mount, *unmount)
        self._stage.node.shell(
            f"rm --recursive --one-file-system {pod} {Claim.staging_folder(volume)}")
        return {method.removeprefix("Node/"): answer.milliseconds
                for (method, _), answer in zip([*mount, *unmount], answers, strict=True)}

    def _mount_by_hand(self, volume: str) -> float:
        """The milliseconds."""
        script = _BY_HAND.format(device=f"/dev/{VOLUME_GROUP}/{volume}", target="/run/by-hand")
        return int(self._stage.node.shell(script)) / 1000
