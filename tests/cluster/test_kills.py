"""In each call that changes a volume or its mounts, the process that carries it out is killed. The
next attempt of kubelet, of a sidecar or of lvmd-reconciler completes it. All steps of all calls:
long_kills.py. The ids in brackets are rules of docs/protocol.md (P-) and docs/csi.md."""

from __future__ import annotations

from . import objects
from .installation import THIN
from .kill_case import KillCase
from .objects import PATH, WRITER
from .stage import VOLUME_GROUP

_LARGER = "512Mi"
_VOLUMES = f"lvs --noheadings --options=lv_name {VOLUME_GROUP}"


class Kills(KillCase):
    def test_a_kill_in_each_call_of_a_claim(self) -> None:
        """[P-INTENT-1, P-MOUNT-12, P-CSI-34, P-CSI-38, P-CSI-41, C-CREATE-1]"""
        claim = self.make_claim(THIN)
        self.stop_at("worker.ran")
        self.create(objects.pod(self.name, WRITER, {PATH: claim.name}))
        self.kill_in_change(then="mounter.made")
        self.kill_in_call("NodeStageVolume", then="mounter.mounted")
        self.kill_in_call("NodePublishVolume", after="NodeStageVolume")
        target = claim.pod_target(self.wait_for_pod(self.name))
        handle = claim.handle()
        device = self.device_of(f"/dev/{VOLUME_GROUP}/{handle}")
        staging = f"{claim.staging_folder(handle)}/globalmount"
        self.assertEqual(sorted(mount.target for mount in self.host_mounts(device)),
                         sorted([staging, target]))
        self.assert_writes_on(f"{target}/numbers")

        self.stop_at("worker.ran")
        claim.request(_LARGER)
        self.kill_in_change(then="mounter.begun")
        self.eventually("kubelet is to grow the file system",
                        lambda: claim.volume()["spec"]["capacity"]["storage"] == _LARGER,
                        self.shown(claim))
        # Without a change of the pod, kubelet looks at its volumes once a minute.
        self.stage.plane.kubectl("annotate", "pod", self.name, "case=look")
        self.kill_in_call("NodeExpandVolume")
        self.eventually("the claim has grown",
                        lambda: claim.read()["status"]["capacity"]["storage"] == _LARGER,
                        self.shown(claim))
        self.assert_writes_on(f"{target}/numbers")

        self.stop_at("mounter.gone")
        self.stage.plane.kubectl("delete", "pod", self.name, "--wait=false")
        self.kill_in_call("NodeUnpublishVolume", then="mounter.gone")
        self.kill_in_call("NodeUnstageVolume", after="NodeUnpublishVolume")
        self.stage.plane.kubectl("wait", "--for=delete", f"pod/{self.name}", "--timeout=90s")
        self.eventually("no mount of the volume", lambda: not self.mounts_anywhere(device),
                        lambda: self.mounts_anywhere(device))
        self.stop_at("worker.ran")
        claim.delete()
        self.kill_in_change()
        self.assert_removed(claim, handle)

    def test_a_kill_in_each_call_of_a_snapshot(self) -> None:
        """[P-INTENT-1, C-CREATE-1]"""
        claim = self.make_claim(THIN)
        self.start_pod(f"echo written >{PATH}/file && sync && sleep infinity")
        self.stop_at("worker.ran")
        self.create(objects.snapshot(self.name, claim.name))
        self.kill_in_change()
        handle = self.wait_for_snapshot(self.name)["status"]["snapshotHandle"]
        self.assertEqual(self.stage.node.shell(_VOLUMES).split().count(handle), 1)
        self.stop_at("worker.ran")
        self.stage.plane.kubectl("delete", "volumesnapshot", self.name, "--wait=false")
        self.kill_in_change()
        self.eventually("the volume of the snapshot is gone",
                        lambda: handle not in self.stage.node.shell(_VOLUMES).split(),
                        lambda: self.stage.node.shell(_VOLUMES))
