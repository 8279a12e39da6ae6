"""TopoLVM's node plugin and controller are replaced by lvmd's CSI driver, and back, while pods write.
The ids in brackets are rules of docs/protocol.md, docs/csi.md (C-) and docs/reconciler.md (R-), and
goals of docs/goals.md (E-)."""

from __future__ import annotations

from dataclasses import dataclass

from tests.e2e.kube import NODE
from tests.e2e.kubernetes_document import run_block, sections

from . import objects, swap_stage
from .claim import Claim
from .claim_case import MIB, ClaimCase
from .installation import AT_ONCE, THICK, THIN_XFS
from .mounts import Device, Mount
from .objects import BLOCK_WRITER, DEVICE, PATH, WRITER
from .stage import VOLUME_GROUP, say
from .topolvm import NODE_FINALIZER

_SIZE, _LARGER = "320Mi", "512Mi"
_LEAVE, _FINALIZER = 5, 7
"""The positions of the blocks in "From TopoLVM" of docs/kubernetes.md that these cases run."""
_GAP_SECONDS = 60.0
_NOT_REGISTERED = "not found in the list of registered CSI drivers"


@dataclass
class Writer:
    """A pod that writes numbers, and its volume."""

    claim: Claim
    numbers: str
    """The file or device with the numbers, on the node."""
    target: str
    """Where the pod's volume is mounted on the node."""
    device: Device
    container: str
    """The id of its container."""
    mounts: list[Mount]

    @property
    def pod(self) -> str:
        return self.claim.name

    @property
    def staging(self) -> str:
        """Where lvmd stages the file system."""
        return f"{Claim.staging_folder(self.claim.handle())}/globalmount"


class Swap(ClaimCase):
    stage: swap_stage.SwapStage

    @classmethod
    def setUpClass(cls) -> None:
        cls.stage = swap_stage.shared()

    def test_pods_write_on_while_lvmd_takes_over(self) -> None:
        """[E-PEER-3, P-CSI-24, P-CSI-37..39, P-CSI-41, P-CSI-43, C-GROW-1, C-DELETE-1, R-CSI-3]"""
        self.stage.become_topolvm()
        ext4, xfs, block = writers = self.start_writers()
        spare = self.start_writer(THICK, "-spare")
        self.assertEqual([mount.target for mount in ext4.mounts], [ext4.target])
        self.assertIn(NODE_FINALIZER, self.node_finalizers())

        self.stage.replace_controller()
        # A node with TopoLVM beside csi-controller.
        mixed = self.make_claim(AT_ONCE, suffix="-mixed")
        self.wait_until_bound(mixed)
        self.assert_undisturbed(*writers, spare)

        self.stage.take_topolvm_off_the_node()
        self.run_block(_LEAVE)
        self.stage.start_lvmd_on_the_node()
        self.assert_gap()
        self.assert_undisturbed(*writers, spare)
        for writer in writers:
            self.assertEqual(self.host_mounts(writer.device), writer.mounts)
            self.wait_for_published(writer.claim)
        self.run_block(_FINALIZER)
        self.assertNotIn(NODE_FINALIZER, self.node_finalizers())

        # Nothing is staged.
        self.remove(spare)
        self.check_second_pod(ext4)
        self.assert_undisturbed(*writers)
        self.check_restart_of_kubelet(*writers)
        self.check_growth(xfs)
        for writer in writers:
            self.assertTrue(set(writer.mounts) <= set(self.host_mounts(writer.device)))

        self.check_next_pod(ext4)
        self.remove(block)
        self.remove(xfs)
        self.check_new_claim()
        self.assertNotIn(NODE_FINALIZER, self.node_finalizers())

    def test_pods_write_on_while_topolvm_returns(self) -> None:
        """[E-PEER-3, P-CLI-11, P-CSI-2]"""
        self.stage.become_lvmd()
        writers = self.start_writers()
        self.assertEqual([writer.staging in [mount.target for mount in writer.mounts]
                          for writer in writers], [True, True, False])
        idle = self.make_claim(THICK, suffix="-idle")
        self.run_pod(objects.pod(idle.name, "sleep infinity", {PATH: idle.name}))
        later = self.make_claim(AT_ONCE, suffix="-later")
        self.wait_until_bound(later)
        self.check_stopped_lvmd(later)

        self.stage.take_lvmd_off_the_node()
        # The pods of the gap: one starts, and one ends.
        self.create(objects.pod(later.name, "sleep infinity", {PATH: later.name}))
        self.stage.plane.kubectl("delete", "pod", idle.name, "--wait=false")
        self.wait_for_event(self.pod(later.name)["metadata"]["uid"], "FailedMount", _NOT_REGISTERED)
        self.assertIn("0 left", self.stage.release_staging())
        for writer in writers:
            self.assertEqual(self.host_mounts(writer.device),
                             [mount for mount in writer.mounts if mount.target != writer.staging])
        self.assertEqual(self.stage.node.run("systemctl is-active lvmd.service")[1], "inactive")
        self.stage.start_topolvm_on_the_node()
        self.assert_gap()
        self.wait_for_pod(later.name)
        self.stage.plane.kubectl("wait", "--for=delete", f"pod/{idle.name}", "--timeout=150s")
        self.stage.restore_controller()
        self.assert_undisturbed(*writers)

        for writer in writers:
            self.remove(writer)
        handle = idle.handle()
        idle.delete()
        self.assert_removed(idle, handle)
        self.check_new_claim()
        self.assertIn(NODE_FINALIZER, self.node_finalizers())

    def start_writers(self) -> list[Writer]:
        """ext4 and xfs, and a raw block volume."""
        return [self.start_writer(THICK, "-ext4"), self.start_writer(THIN_XFS, "-xfs"),
                self.start_writer(THICK, "-block", "Block")]

    def start_writer(self, storage_class: str, suffix: str, mode: str = "Filesystem") -> Writer:
        self.mode = mode
        claim = self.make_claim(storage_class, _SIZE, suffix)
        script, place = (WRITER, PATH) if mode == "Filesystem" else (BLOCK_WRITER, DEVICE)
        uid = self.run_pod(objects.pod(claim.name, script, {place: claim.name}, mode))
        self.mode = "Filesystem"
        target = claim.pod_target(uid) if mode == "Filesystem" else claim.device_target(uid)
        path = f"/dev/{VOLUME_GROUP}/{claim.handle()}"
        device = self.device_of(path)
        writer = Writer(claim, f"{target}/numbers" if mode == "Filesystem" else path, target, device,
                        self.container(claim.name)["containerID"], self.host_mounts(device))
        self.assert_writes_on(writer.numbers, writer.pod)
        return writer

    def assert_undisturbed(self, *writers: Writer) -> None:
        """The pods write on, in the same containers."""
        for writer in writers:
            self.assert_writes_on(writer.numbers, writer.pod)
            self.assertEqual(self.container(writer.pod)["containerID"], writer.container)

    def assert_gap(self) -> None:
        gap = self.stage.gap()
        say(f"kubelet knew no driver for {gap:.1f} s")
        self.assertLess(gap, _GAP_SECONDS)

    def check_second_pod(self, writer: Writer) -> None:
        """kubelet takes a volume that TopoLVM published for staged."""
        name = f"{self.name}-second"
        self.run_pod(objects.pod(name, "sleep infinity", {PATH: writer.claim.name}))
        self.assertIn(writer.staging, [mount.target for mount in self.host_mounts(writer.device)])
        self.assertEqual(self.in_pod(f"head -n 1 {PATH}/numbers", name), "0")
        self.delete_pod(name)

    def check_restart_of_kubelet(self, *writers: Writer) -> None:
        """kubelet stages and publishes all volumes again."""
        self.stage.restart_kubelet()
        staged = [writer for writer in writers if writer.target.endswith("/mount")]
        self.eventually("all file systems are staged", lambda: all(
            writer.staging in [mount.target for mount in self.host_mounts(writer.device)]
            for writer in staged), lambda: [self.host_mounts(writer.device) for writer in staged])
        self.assert_undisturbed(*writers)

    def check_growth(self, writer: Writer) -> None:
        writer.claim.request(_LARGER)
        self.eventually("the claim has grown", lambda: self.has_grown(writer),
                        self.shown(writer.claim))
        size = 1024 * int(self.in_pod(f"df -kP {PATH} | tail -n 1", writer.pod).split()[1])
        self.assertGreater(size, 400 * MIB)
        self.assert_undisturbed(writer)

    def has_grown(self, writer: Writer) -> bool:
        # Without a change of the pod, kubelet looks at its volumes once a minute.
        self.stage.plane.kubectl("annotate", "pod", writer.pod, "--overwrite",
                                 f"case=look-{self.numbers(writer.numbers)}")
        return bool(writer.claim.read()["status"]["capacity"]["storage"] == _LARGER)

    def check_next_pod(self, writer: Writer) -> None:
        """The pod ends, and another one finds the data."""
        self.delete_pod(writer.pod)
        self.eventually("no mount of the volume", lambda: not self.mounts_anywhere(writer.device),
                        lambda: self.mounts_anywhere(writer.device))
        name = f"{self.name}-next"
        self.run_pod(objects.pod(name, "sleep infinity", {PATH: writer.claim.name}))
        numbers = [int(line) for line in self.in_pod(f"cat {PATH}/numbers", name).split()]
        self.assertEqual(numbers, list(range(len(numbers))))
        self.assertGreater(len(numbers), 3)
        self.delete_pod(name)

    def check_new_claim(self) -> None:
        claim = self.make_claim(THICK, suffix="-new")
        self.run_pod(objects.pod(claim.name, f"echo new >{PATH}/file && sleep infinity",
                                 {PATH: claim.name}))
        self.assertEqual(self.in_pod(f"cat {PATH}/file", claim.name), "new")
        self.delete_pod(claim.name)

    def check_stopped_lvmd(self, claim: Claim) -> None:
        """While systemd holds the sockets, a stopped lvmd starts with kubelet's next call."""
        self.stage.reconciler.stop()  # It calls lvmd, too.
        self.stage.node.shell("systemctl stop lvmd.service")
        self.assertEqual(self.stage.node.run("systemctl is-active lvmd.service")[1], "inactive")
        name = f"{self.name}-call"
        self.run_pod(objects.pod(name, "sleep infinity", {PATH: claim.name}))
        self.assertEqual(self.stage.node.run("systemctl is-active lvmd.service")[1], "active")
        self.delete_pod(name)
        self.stage.node.shell("systemctl stop lvmd.service")
        code, output = self.stage.node.run("lvmd csi release-staging")
        self.assertEqual(code, 1, output)
        self.assertIn("systemctl stop", output)
        self.stage.reconciler.start()

    def remove(self, writer: Writer) -> None:
        """Pod and claim end, and with them the LV."""
        handle = writer.claim.handle()
        self.delete_pod(writer.pod)
        writer.claim.delete()
        self.wait_until_removed(writer.claim)
        self.assertNotIn(handle, self.logical_volumes())

    def logical_volumes(self) -> list[str]:
        return self.stage.node.shell(
            f"lvs --noheadings --options=lv_name {VOLUME_GROUP}").split()

    def wait_for_published(self, claim: Claim) -> None:
        self.eventually(f"{claim} is Published", lambda: claim.logical_volume().get(
            "status", {}).get("csiStatus") == "Published", self.shown(claim))

    def node_finalizers(self) -> list[str]:
        node = self.stage.plane.read(f"/api/v1/nodes/{NODE}") or {}
        return list(node["metadata"].get("finalizers", []))

    def run_block(self, position: int) -> None:
        """Runs a block of docs/kubernetes.md unchanged."""
        block = sections()["From TopoLVM"][position]
        done = run_block(self.stage.plane, block, NODE=NODE)
        self.assertEqual(done.returncode, 0, f"{block}\n{done.stdout}")
