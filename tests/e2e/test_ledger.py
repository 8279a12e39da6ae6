"""Volumes without an object, and objects without their volume. The ids in brackets are rules of
docs/reconciler.md."""

import json
import uuid

from .case import MIB, Case
from .logical_volume import LogicalVolume
from .stage import NODE, VOLUME_GROUP


class Ledger(Case):
    def shell(self, command: str) -> str:
        return self.stage.machine.run(command, check=True).output.strip()

    def page(self) -> str:
        return self.get("ledger")

    def metrics(self) -> str:
        return self.get("metrics")

    def get(self, page: str) -> str:
        """Empty while the port is closed, as directly after a start."""
        return self.stage.machine.run(
            f"curl --silent --max-time 5 http://127.0.0.1:8080/{page}").output.strip()

    def restart(self, *flags: str) -> None:
        """The reconciler reads the list of volumes when it starts."""
        self.stage.reconciler.set_flags(*flags)
        self.stage.reconciler.restart()

    def orphan(self, owner: str = "", name: str = "") -> str:
        """The path of a new volume with the name of an object, which may or may not have it as its
        volume. `owner`: its owner mark."""
        name = name or str(uuid.uuid4())
        tag = f"--addtag lvmd.v1:owner={owner}" if owner else ""
        self.shell(f"lvcreate -q -y -n {name} -L 8M {tag} {VOLUME_GROUP}")
        self.remove_in_the_end(name)
        return f"/dev/{VOLUME_GROUP}/{name}"

    def remove_in_the_end(self, name: str) -> None:
        self.addCleanup(self.stage.machine.run, f"lvremove -q -f {VOLUME_GROUP}/{name}")

    def own(self) -> str:
        """The owner mark of the reconciler's volumes."""
        node = json.loads(self.stage.plane.kubectl("get", "node", NODE, "--output=json"))
        return f"kube/{node['metadata']['uid']}"

    def owner(self, name: str) -> str:
        tags = self.shell(f"lvs --noheadings -o lv_tags {VOLUME_GROUP}/{name}").split(",")
        marks = [tag for tag in tags if tag.startswith("lvmd.v1:owner=")]
        self.assertLessEqual(len(marks), 1)
        return marks[0].partition("=")[2] if marks else ""

    def let_go_by_hand(self, volume: LogicalVolume) -> None:
        """The object is deleted and its volume stays, as after a removal of its finalizer by
        hand."""
        self.stage.reconciler.stop()
        volume.delete()
        volume.set_finalizers()
        self.assertIsNone(volume.read())

    def test_what_has_lost_its_counterpart_is_told(self) -> None:
        """[R-LEDG-1, R-LEDG-2, R-LEDG-4]"""
        lost, kept = self.volume("-lost"), self.volume("-kept")
        lost_uid, kept_uid = (volume.create(self.spec("8Mi")) for volume in (lost, kept))
        for volume in (lost, kept):
            self.wait_for_size(volume, "8Mi")
        self.shell(f"lvremove -q -f {VOLUME_GROUP}/{lost_uid}")
        path = self.orphan()
        self.restart()
        self.eventually("both are reported", lambda: (
            f"volume {path} of {8 * MIB} bytes, class thick," in self.page()
            and f"object topolvm.io/{lost.name} has no volume {lost_uid}" in self.page()),
            self.page)
        self.assertNotIn(kept_uid, self.page())
        self.assertIn("lvmd_reconciler_missing_volumes 1\n", self.metrics() + "\n")
        self.assertNotIn("lvmd_reconciler_orphaned_volumes 0\n", self.metrics() + "\n")
        self.assert_no_volume(lost_uid)

    def test_an_orphan_goes_when_that_is_switched_on_and_not_while_in_use(self) -> None:
        """[R-LEDG-5, R-CLI-12]"""
        volume = self.volume()
        uid = volume.create(self.spec("8Mi"))
        self.wait_for_size(volume, "8Mi")
        free, held = self.orphan(self.own()), self.orphan(self.own())
        unit = "case-orphan-holder"
        self.addCleanup(self.stage.machine.run, f"systemctl stop {unit}.service")
        self.shell(f"systemd-run --quiet --unit={unit} sh -c 'exec sleep infinity <{held}'")
        self.addCleanup(self.restart)
        self.restart("--remove-orphans-after=10s")
        self.eventually("the free one is removed", lambda: free.rpartition("/")[2] not in
                        self.stage.volumes(), self.page)
        self.eventually("the held one was tried", lambda: (
            f"{held} has no object and stays" in self.stage.reconciler.log()), self.page)
        self.assertIn(held.rpartition("/")[2], self.stage.volumes())
        self.assert_volume(uid, 8 * MIB)

    def test_only_what_was_made_for_this_store_and_node_is_removed(self) -> None:
        """[R-LEDG-5, R-LEDG-6, R-LEDG-7, R-DELETE-5, P-OWNER-2]"""
        lost, abandoned, elsewhere = (self.volume(suffix) for suffix in (
            "-lost", "-abandoned", "-elsewhere"))
        lost_uid, abandoned_uid = (volume.create(self.spec("8Mi")) for volume in (lost, abandoned))
        for volume, uid in ((lost, lost_uid), (abandoned, abandoned_uid)):
            self.remove_in_the_end(uid)
            self.wait_for_size(volume, "8Mi")
            self.assertEqual(self.owner(uid), self.own())
        abandoned.annotate("lvmd.io/abandon", "true")
        abandoned.delete()
        self.wait_until_gone(abandoned)
        self.assertEqual(self.owner(abandoned_uid), "")
        # As on disks from another node of the cluster, or from a node that was renamed.
        elsewhere_uid = elsewhere.create({**self.spec("8Mi"), "nodeName": "elsewhere"})
        stay = [self.orphan(self.own(), elsewhere_uid), self.orphan(f"kube/{uuid.uuid4()}"),
                self.orphan(f"directory/{uuid.uuid4()}"), self.orphan(),
                f"/dev/{VOLUME_GROUP}/{abandoned_uid}"]
        self.let_go_by_hand(lost)
        self.addCleanup(self.restart)
        self.restart("--remove-orphans-after=10s")
        self.eventually("the lost one is removed", lambda: lost_uid not in self.stage.volumes(),
                        self.page)
        self.eventually("the other node's is left", lambda: (
            f"{stay[0]} stays: it belongs to an object of another node" in self.stage.reconciler.log()),
            self.page)
        left = self.stage.volumes()
        for path in stay:
            self.assertIn(path.rpartition("/")[2], left)
            self.assertIn(f"volume {path} of", self.page())

    def test_a_volume_from_before_is_marked_when_it_is_seen(self) -> None:
        """[R-LEDG-7]"""
        volume = self.volume()
        uid = volume.create(self.spec("8Mi"))
        self.wait_for_size(volume, "8Mi")
        self.shell(f"lvchange -q --deltag lvmd.v1:owner={self.own()} {VOLUME_GROUP}/{uid}")
        self.restart()
        self.eventually("it is marked", lambda: self.owner(uid) == self.own(),
                        self.stage.describe)
