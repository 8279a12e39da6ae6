"""A claim becomes a volume in a pod, and goes. The ids in brackets are rules of docs/csi.md,
docs/protocol.md (P-) and docs/reconciler.md (R-), and goals of docs/goals.md (E-)."""

from __future__ import annotations

from tests.e2e.kube import NODE

from . import objects
from .claim import Claim
from .claim_case import MIB, SIZE, ClaimCase
from .installation import DRIVER, THICK, THIN
from .objects import DEVICE, PATH
from .stage import VOLUME_GROUP

_EVENTS = ("VolumeRequested", "VolumeCreated", "VolumeStaged", "VolumePublished",
           "VolumeUnpublished", "VolumeUnstaged", "VolumeRemovalAccepted", "VolumeRemoved")


class Claims(ClaimCase):
    def test_a_claim_lives_from_its_first_pod_to_its_deletion(self) -> None:
        """[E-FLOW-1..3, E-FLOW-5..6, E-FLOW-8, E-EDGE-1..2, E-EDGE-4..6, E-EDGE-8..10, E-EDGE-12,
        C-OBJ-1, C-OBJ-2, C-OBJ-4, C-CREATE-1, C-VOL-1, C-DELETE-1, P-CSI-6, P-CSI-31, P-CSI-37,
        R-CSI-1, R-CSI-3, R-CSI-5, R-CSI-6, R-CSI-7]"""
        claim = self.make_claim(THICK)
        self.wait_for_event(claim.uid, "WaitForFirstConsumer")
        self.assertEqual(claim.logical_volume(), {})

        self.start_pod(f"echo written >{PATH}/file && sync && sleep infinity")
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        self.check_binding(claim)
        self.check_volume(claim)
        self.assertRegex(self.in_pod("cat /proc/mounts"), rf"(?m)^\S+ {PATH} ext4 rw,")
        self.eventually("the pod has written",
                        lambda: self.in_pod(f"cat {PATH}/file || true") == "written",
                        lambda: self.in_pod(f"ls -la {PATH}"))

        self.delete_pod()
        self.assert_passes(claim, "VolumeReady", "Created")
        uid, handle = claim.logical_volume()["metadata"]["uid"], claim.handle()
        claim.delete()
        self.assert_passes(claim, "Removing", "Removed")
        self.assert_removed(claim, handle)
        for reason in _EVENTS:
            self.wait_for_event(uid, reason)

    def test_two_pods_share_a_claim(self) -> None:
        """[E-FLOW-7, E-FLOW-8, P-CSI-37, R-CSI-1, R-CSI-3]"""
        claim = self.make_claim(THIN)
        second = f"{self.name}-second"
        targets = [claim.pod_target(self.start_pod(f"echo shared >{PATH}/file && sleep infinity")),
                   claim.pod_target(self.run_pod(
                       objects.pod(second, "sleep infinity", {PATH: claim.name})))]
        self.eventually("the second pod has the file of the first",
                        lambda: self.in_pod(f"cat {PATH}/file || true", second) == "shared",
                        lambda: self.in_pod(f"ls -la {PATH}", second))
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        self.eventually("both publications are counted",
                        lambda: claim.logical_volume()["status"]["csiPublications"] == 2,
                        self.shown(claim))
        device = self.device_of(f"/dev/{VOLUME_GROUP}/{claim.handle()}")
        staging = f"{claim.staging_folder(claim.handle())}/globalmount"
        self.assertEqual(sorted(mount.target for mount in self.host_mounts(device)),
                         sorted([staging, *targets]))

        self.delete_pod()
        self.eventually("one publication is left",
                        lambda: claim.logical_volume()["status"]["csiPublications"] == 1,
                        self.shown(claim))
        self.assertEqual(sorted(mount.target for mount in self.host_mounts(device)),
                         sorted([staging, targets[1]]))
        self.assert_passes(claim)
        self.delete_pod(second)
        self.assert_passes(claim, "VolumeReady", "Created")

    def test_a_retained_volume_stays(self) -> None:
        """[E-FLOW-1, E-FLOW-5]"""
        claim = self.make_claim_at_once()
        handle = claim.handle()
        self.stage.plane.kubectl("patch", "persistentvolume", claim.volume_name,
                                 '--patch={"spec":{"persistentVolumeReclaimPolicy":"Retain"}}')
        claim.delete()
        self.eventually("the volume is released",
                        lambda: claim.volume()["status"]["phase"] == "Released", self.shown(claim))
        self.stage.node.shell(f"lvs {VOLUME_GROUP}/{handle}")
        self.assert_passes(claim)
        for kind in ("persistentvolume", "logicalvolumes.topolvm.io"):
            self.stage.plane.kubectl("delete", kind, claim.volume_name, "--timeout=90s")
        self.assert_removed(claim, handle)

    def check_binding(self, claim: Claim) -> None:
        """What the components of Kubernetes have agreed on."""
        bound = claim.read()
        self.assertEqual((bound["status"]["phase"], bound["spec"]["volumeName"]),
                         ("Bound", claim.volume_name))
        notes = bound["metadata"]["annotations"]
        expected = {
            "volume.kubernetes.io/selected-node": NODE,
            "volume.kubernetes.io/storage-provisioner": DRIVER,
            "pv.kubernetes.io/bind-completed": "yes",
            "pv.kubernetes.io/bound-by-controller": "yes"}
        self.assertEqual({key: notes.get(key) for key in expected}, expected)

        volume = claim.volume()
        self.assertEqual(volume["status"]["phase"], "Bound")
        self.assertEqual(volume["metadata"]["annotations"]["pv.kubernetes.io/provisioned-by"],
                         DRIVER)
        spec = volume["spec"]
        self.assertEqual(spec["claimRef"]["uid"], claim.uid)
        self.assertEqual((spec["capacity"]["storage"], spec["persistentVolumeReclaimPolicy"]),
                         (SIZE, "Delete"))
        self.assertEqual({key: spec["csi"][key] for key in ("driver", "fsType", "volumeHandle")},
                         {"driver": DRIVER, "fsType": "ext4", "volumeHandle": claim.handle()})
        [term] = spec["nodeAffinity"]["required"]["nodeSelectorTerms"]
        self.assertEqual(term["matchExpressions"], [
            {"key": f"topology.{DRIVER}/node", "operator": "In", "values": [NODE]}])
        attachments = self.stage.plane.read("/apis/storage.k8s.io/v1/volumeattachments")
        self.assertEqual((attachments or {})["items"], [])

    def check_volume(self, claim: Claim) -> None:
        """The LogicalVolume, and LVM's volume."""
        found = claim.logical_volume()
        spec, status = found["spec"], found["status"]
        self.assertEqual((spec["nodeName"], spec["deviceClass"], spec["size"]),
                         (NODE, "thick", SIZE))
        self.assertEqual(claim.handle(), found["metadata"]["uid"])
        self.assertEqual((status["currentSize"], status["csiPublications"]), (SIZE, 1))
        self.assertNotIn("csiFailure", status)
        size = self.stage.node.shell(f"lvs --noheadings --nosuffix --units=b --options=lv_size "
                                     f"{VOLUME_GROUP}/{claim.handle()}")
        self.assertEqual(int(size), 256 * MIB)


class Access(ClaimCase):
    def test_fs_group_and_sub_path(self) -> None:
        claim = self.make_claim(THIN)
        pod = objects.pod(self.name, f"echo deep >/sub/file && echo flat >{PATH}/file && "
                          "sleep infinity", {PATH: claim.name})
        pod["spec"]["securityContext"] = {"runAsUser": 1000, "runAsGroup": 1000, "fsGroup": 2000}
        [container] = pod["spec"]["containers"]
        container["volumeMounts"].append(
            {"name": container["volumeMounts"][0]["name"], "mountPath": "/sub", "subPath": "inner"})
        self.run_pod(pod)
        self.eventually("the pod has written",
                        lambda: self.in_pod(f"cat {PATH}/inner/file {PATH}/file || true").split()
                        == ["deep", "flat"], lambda: self.in_pod(f"ls -laR {PATH} /sub"))
        self.assertEqual(self.in_pod("id -G").split(), ["1000", "2000"])
        # Both directories give their group to new files.
        self.assertEqual(
            self.in_pod(f"stat -c '%u:%g' {PATH}/file /sub/file").split(), ["1000:2000"] * 2)
        handle = claim.handle()
        self.delete_pod()
        claim.delete()
        self.assert_removed(claim, handle)


class RawBlock(ClaimCase):
    mode = "Block"

    def test_a_claim_for_a_raw_device(self) -> None:
        """[E-FLOW-2, P-CSI-36, P-CSI-39, R-CSI-6]"""
        claim = self.make_claim(THIN)
        self.start_pod(f"echo written | dd of={DEVICE} bs=512 conv=sync,fsync && sleep infinity")
        self.assert_passes(claim, "Creating", "Created", "Published")
        self.eventually("the pod has written",
                        lambda: self.in_pod(f"head -c 7 {DEVICE}") == "written",
                        lambda: self.in_pod(f"head -c 64 {DEVICE} | xxd"))
        self.assertEqual(self.in_pod(f"blockdev --getsize64 {DEVICE}"), str(256 * MIB))
        handle = claim.handle()
        self.assertEqual(
            self.stage.node.shell(f"head --bytes=7 /dev/{VOLUME_GROUP}/{handle}"), "written")
        self.delete_pod()
        self.assert_passes(claim, "Created")
        claim.delete()
        self.assert_passes(claim, "Removing", "Removed")
        self.assert_removed(claim, handle)
