"""Responses of the API server other than success: no such resource, no such user, an object that
was deleted. The ids in brackets are rules of docs/reconciler.md."""

import time

from . import before_lvmd
from .case import MIB, Case
from .daemon_pod import ACCOUNT, PACKAGING, DaemonPod
from .logical_volume import GROUP, LEGACY_GROUP
from .stage import VOLUME_GROUP

_CRD = f"logicalvolumes.{LEGACY_GROUP}"
_CRD_FILE = PACKAGING / f"crds/{LEGACY_GROUP}_logicalvolumes.yaml"


class ApiAnswers(Case):
    def test_an_object_that_lost_its_finalizer_and_went_keeps_its_volume(self) -> None:
        """[R-DELETE-4]"""
        volume, other = self.volume(), self.volume("-other")
        uid = volume.create(self.spec("64Mi"))
        self.wait_for_size(volume, "64Mi")
        self.addCleanup(self.stage.machine.run, f"lvremove -q -f {VOLUME_GROUP}/{uid}",
                        check=True)
        self.addCleanup(self.stage.reconciler.start)
        self.stage.reconciler.stop()
        volume.set_finalizers()
        volume.delete()
        self.wait_until_gone(volume)
        self.stage.reconciler.start()
        other.create(self.spec("64Mi"))
        self.wait_for_size(other, "64Mi")  # by then it has detected that the first one is deleted
        self.assert_volume(uid, 64 * MIB)

    def test_a_group_without_its_crd_is_looked_for_again(self) -> None:
        """[R-KUBE-5]"""
        self.addCleanup(self.stage.plane.apply, _CRD_FILE)
        self.addCleanup(self.stage.reconciler.start)
        self.stage.reconciler.stop()
        self.stage.plane.kubectl("delete", "crd", _CRD)
        self.stage.reconciler.start()
        present = self.volume("-present")
        uid = present.create(self.spec("64Mi"))
        self.wait_for_size(present, "64Mi")
        self.assert_volume(uid, 64 * MIB)

        self.stage.plane.apply(_CRD_FILE)
        self.eventually("the resource is served", self.serves_legacy_group, lambda: "")
        appeared = self.volume("-appeared", LEGACY_GROUP)
        appeared_uid = appeared.create(self.spec("64Mi"))
        self.wait_for_size(appeared, "64Mi")
        self.assert_volume(appeared_uid, 64 * MIB)

    def test_a_definition_that_is_put_back_while_it_is_watched(self) -> None:
        """[R-KUBE-4, R-KUBE-13]"""
        self.addCleanup(self.stage.plane.apply, PACKAGING)
        before, after = self.volume("-before"), self.volume("-after")
        elsewhere, again = self.volume("-elsewhere"), self.volume("-again")
        before.create(self.spec("64Mi"))
        self.wait_for_size(before, "64Mi")
        # TopoLVM's definition, as after `helm upgrade`: objects cannot be selected by a field.
        self.stage.plane.apply(before_lvmd.DEFINITIONS)
        foreign = elsewhere.create(self.spec("64Mi") | {"nodeName": "elsewhere"})
        uid = after.create(self.spec("64Mi"))
        self.wait_for_size(after, "64Mi")
        self.assert_volume(uid, 64 * MIB)
        self.assert_no_volume(foreign)
        self.stage.plane.apply(PACKAGING)
        uid = again.create(self.spec("64Mi"))
        self.wait_for_size(again, "64Mi")
        self.assert_volume(uid, 64 * MIB)

    def test_a_token_that_is_refused_is_read_again(self) -> None:
        """[R-KUBE-6]"""
        self.addCleanup(self.stage.reconciler.set_token, self.stage.token)
        self.stage.reconciler.set_token(b"expired\n")
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"))
        time.sleep(3)
        self.assert_no_volume(uid)
        self.stage.reconciler.set_token(self.stage.token)
        self.wait_for_size(volume, "64Mi")
        self.assert_volume(uid, 64 * MIB)

    def test_rights_that_are_missing_are_named_and_waited_for(self) -> None:
        """[R-KUBE-6]"""
        self.addCleanup(self.stage.reconciler.start)
        self.addCleanup(self.stage.plane.apply, PACKAGING)
        self.stage.reconciler.stop()
        self.stage.plane.kubectl("delete", "clusterrolebinding", ACCOUNT)
        self.stage.reconciler.start()
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"))
        self.wait_for_log(f'cannot list resource "logicalvolumes" in API group "{GROUP}"')
        self.assert_no_volume(uid)
        self.stage.plane.apply(PACKAGING)
        self.wait_for_size(volume, "64Mi")
        self.assert_volume(uid, 64 * MIB)

    def test_the_token_of_another_nodes_pod_makes_nothing_here(self) -> None:
        """[R-KUBE-6, R-RIGHT-2]"""
        self.addCleanup(self.stage.reconciler.set_token, self.stage.token)
        other = DaemonPod(self.stage.plane, "elsewhere").token().encode()
        self.stage.reconciler.set_token(other)
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"))
        self.wait_for_log(
            'lvmd-reconciler of node "elsewhere" may not write a LogicalVolume of node "vm"')
        self.assert_no_volume(uid)
        self.stage.reconciler.set_token(self.stage.token)
        self.wait_for_size(volume, "64Mi")
        self.assert_volume(uid, 64 * MIB)

    def wait_for_log(self, words: str) -> None:
        self.eventually(f"the log says: {words}",
                        lambda: words in self.stage.reconciler.log(200), lambda: "")

    def serves_legacy_group(self) -> bool:
        return _CRD in self.stage.plane.kubectl("api-resources", "--output=name",
                                                f"--api-group={LEGACY_GROUP}")
