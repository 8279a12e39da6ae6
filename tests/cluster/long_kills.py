"""As test_kills.py, at every step of every call. The ids in brackets are rules of docs/protocol.md
(P-) and docs/csi.md."""

from __future__ import annotations

from . import objects
from .claim import Claim
from .installation import AT_ONCE, THIN
from .kill_case import KillCase
from .objects import DEVICE, PATH, WRITER
from .stage import VOLUME_GROUP

_CHANGE = ("worker.begun", "worker.ran", "worker.finished", "worker.replied", "server.replied")
_MOUNT = ("mounter.begun", "mounter.folder", "mounter.mounted")
_CONTENT = ("mounter.blank", "mounter.made")


class Changes(KillCase):
    """[P-INTENT-1, C-CREATE-1, C-GROW-1, C-DELETE-1]"""

    def test_a_volume_is_created_once(self) -> None:
        for place in _CHANGE:
            with self.subTest(place):
                self.stop_at(place)
                claim = self.make_claim(AT_ONCE, suffix=f"-{place.replace('.', '-')}")
                self.kill_in_change()
                self.wait_until_bound(claim)
                self.assertEqual(self.volumes(claim.handle()), 1)
                self.remove(claim)

    def test_a_volume_grows_below_its_pod(self) -> None:
        claim = self.make_claim(THIN)
        numbers = f"{claim.pod_target(self.start_pod(WRITER))}/numbers"
        for number, place in enumerate(_CHANGE, start=1):
            with self.subTest(place):
                size = f"{256 + 64 * number}Mi"
                self.stop_at(place)
                claim.request(size)
                self.kill_in_change()
                self.wait_until_grown(claim, size)
                self.assert_writes_on(numbers)

    def test_a_volume_is_removed(self) -> None:
        for place in _CHANGE:
            with self.subTest(place):
                claim = self.make_claim(AT_ONCE, suffix=f"-{place.replace('.', '-')}")
                self.wait_until_bound(claim)
                handle = claim.handle()
                self.stop_at(place)
                claim.delete()
                self.kill_in_change()
                self.assert_removed(claim, handle)

    def volumes(self, handle: str) -> int:
        """How many LVs have this name."""
        names = self.stage.node.shell(f"lvs --noheadings --options=lv_name {VOLUME_GROUP}")
        return names.split().count(handle)

    def remove(self, claim: Claim) -> None:
        handle = claim.handle()
        claim.delete()
        self.assert_removed(claim, handle)

    def wait_until_grown(self, claim: Claim, size: str) -> None:
        self.eventually("kubelet is to grow the file system",
                        lambda: claim.volume()["spec"]["capacity"]["storage"] == size,
                        self.shown(claim))
        # Without a change of the pod, kubelet looks at its volumes once a minute.
        self.stage.plane.kubectl("annotate", "pod", self.name, "--overwrite", f"case={size}")
        self.eventually(f"the claim has {size}",
                        lambda: claim.read()["status"]["capacity"]["storage"] == size,
                        self.shown(claim))


class Mounts(KillCase):
    """[P-MOUNT-12, P-CSI-34, P-CSI-38, P-CSI-41]"""

    def test_a_volume_is_staged_and_published_once(self) -> None:
        for place in (*_CONTENT, *_MOUNT):
            with self.subTest(place):
                self.start_with_kill(place, "NodeStageVolume")
        for place in _MOUNT:
            with self.subTest(f"{place} of the publication"):
                self.start_with_kill(place, "NodePublishVolume", after="NodeStageVolume")

    def start_with_kill(self, place: str, method: str, after: str = "") -> None:
        suffix = f"-{method.removeprefix('Node')[:1]}-{place.replace('.', '-')}".lower()
        claim = self.make_claim(THIN, suffix=suffix)
        self.stop_at(place)
        self.create(objects.pod(claim.name, f"echo whole >{PATH}/file && sleep infinity",
                                {PATH: claim.name}))
        self.kill_in_call(method, after=after)
        target = claim.pod_target(self.wait_for_pod(claim.name))
        handle = claim.handle()
        device = self.device_of(f"/dev/{VOLUME_GROUP}/{handle}")
        self.assertEqual(
            sorted(mount.target for mount in self.host_mounts(device)),
            sorted([f"{claim.staging_folder(handle)}/globalmount", target]))
        self.eventually("the pod has written",
                        lambda: self.in_pod(f"cat {PATH}/file || true", claim.name) == "whole",
                        lambda: self.in_pod(f"ls -la {PATH}", claim.name))
        self.delete_pod(claim.name)
        claim.delete()
        self.assert_removed(claim, handle)


class RawBlock(KillCase):
    mode = "Block"

    def test_a_device_is_published_once_and_unpublished(self) -> None:
        """[P-CSI-39, P-CSI-41]"""
        for place in _MOUNT:
            with self.subTest(place):
                claim = self.make_claim(THIN, suffix=f"-{place.replace('.', '-')}")
                self.stop_at(place)
                self.create(objects.pod(claim.name, "sleep infinity", {DEVICE: claim.name},
                                        self.mode))
                self.kill_in_call("NodePublishVolume")
                self.wait_for_pod(claim.name)
                handle = claim.handle()
                device = self.device_of(f"/dev/{VOLUME_GROUP}/{handle}")
                # lvmd's, and kubelet's own of it.
                self.assertEqual(len(self.host_mounts(device)), 2)
                self.stop_at("mounter.gone")
                self.stage.plane.kubectl("delete", "pod", claim.name, "--wait=false")
                self.kill_in_call("NodeUnpublishVolume")
                self.stage.plane.kubectl("wait", "--for=delete", f"pod/{claim.name}",
                                         "--timeout=90s")
                claim.delete()
                self.assert_removed(claim, handle)
