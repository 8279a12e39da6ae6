"""The node loses its power below pods with volumes. The ids in brackets are rules of
docs/protocol.md (P-) and docs/reconciler.md (R-), and goals of docs/goals.md (E-)."""

from __future__ import annotations

from typing import Any

from . import objects
from .claim_case import ClaimCase
from .installation import THIN
from .objects import DEVICE, PATH
from .stage import VOLUME_GROUP


class Reboot(ClaimCase):
    def test_a_pod_goes_on_with_its_volume(self) -> None:
        """Staged and published once, with what the pod has written. [E-FLOW-9, P-CSI-34, P-CSI-38,
        R-CSI-1, R-CSI-3]"""
        claim = self.make_claim(THIN)
        boot = "/proc/sys/kernel/random/boot_id"
        pod = self.restarting_pod(f"cat {boot} >>{PATH}/boots && sync && sleep infinity",
                                  {PATH: claim.name})
        target = claim.pod_target(self.run_pod(pod))
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        boots = [self.stage.node.shell(f"cat {boot}")]
        self.eventually("the pod has written", lambda: self.written() == boots, self.written)

        self.stage.cut_power()
        boots.append(self.stage.node.shell(f"cat {boot}"))
        self.eventually("the pod has written again", lambda: self.written() == boots, self.written)
        handle = claim.handle()
        device = self.device_of(f"/dev/{VOLUME_GROUP}/{handle}")
        self.assertEqual(sorted(mount.target for mount in self.host_mounts(device)),
                         sorted([f"{claim.staging_folder(handle)}/globalmount", target]))
        self.eventually("the status has one publication",
                        lambda: self.status(claim.logical_volume()) == ("Published", 1),
                        self.shown(claim))
        self.delete_pod()
        claim.delete()
        self.assert_removed(claim, handle)

    def written(self) -> list[str]:
        """What the pod has written; empty while it does not run."""
        if self.pod()["status"]["phase"] != "Running" or "running" not in self.container()["state"]:
            return []
        target = f"/var/lib/kubelet/pods/{self.pod()['metadata']['uid']}/volumes"
        return self.stage.node.run(f"cat {target}/*/*/mount/boots")[1].split()

    def status(self, found: dict[str, Any]) -> tuple[str, int]:
        return found["status"]["csiStatus"], found["status"]["csiPublications"]

    def restarting_pod(self, script: str, claims: dict[str, str]) -> dict[str, Any]:
        """A pod whose container starts again after its end."""
        pod = objects.pod(self.name, script, claims, self.mode)
        pod["spec"]["restartPolicy"] = "Always"
        return pod


class RawBlock(Reboot):
    mode = "Block"

    def test_a_pod_goes_on_with_its_volume(self) -> None:
        """[E-FLOW-9, P-CSI-39]"""
        claim = self.make_claim(THIN)
        self.run_pod(self.restarting_pod(
            f"test \"$(head -c 7 {DEVICE})\" = written || "
            f"echo written | dd of={DEVICE} bs=512 conv=sync,fsync; sleep infinity",
            {DEVICE: claim.name}))
        handle = claim.handle()
        device = f"/dev/{VOLUME_GROUP}/{handle}"
        self.eventually("the pod has written",
                        lambda: self.stage.node.shell(f"head --bytes=7 {device}") == "written",
                        lambda: self.pod()["status"])
        before = self.container()["containerID"]
        self.stage.cut_power()
        self.eventually("the pod runs again",
                        lambda: "running" in self.container()["state"]
                        and self.container()["containerID"] != before,
                        lambda: self.pod()["status"])
        self.assertEqual(self.in_pod(f"head -c 7 {DEVICE}"), "written")
        # lvmd's, and kubelet's own of it.
        self.assertEqual(len(self.host_mounts(self.device_of(device))), 2)
        self.delete_pod()
        claim.delete()
        self.assert_removed(claim, handle)
