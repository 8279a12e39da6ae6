"""Objects whose volumes cannot be removed, and abandoned objects. The ids in brackets are rules of
docs/reconciler.md."""

from .case import MIB, Case, finalizers
from .logical_volume import GROUP
from .stage import VOLUME_GROUP

FAILED_PRECONDITION = 9


class LettingGo(Case):
    def shell(self, command: str) -> str:
        return self.stage.machine.run(command, check=True).output.strip()

    def test_a_volume_in_use_is_given_up(self) -> None:
        """[R-DELETE-3, R-DELETE-5, R-EVENT-1, R-EVENT-3]"""
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"))
        self.wait_for_size(volume, "64Mi")
        device = f"/dev/{VOLUME_GROUP}/{uid}"
        holder = "systemctl stop case-holder.service"
        self.addCleanup(self.shell, f"lvremove -q -f {VOLUME_GROUP}/{uid}")
        self.addCleanup(self.shell, holder)
        self.shell(f"systemd-run --quiet --unit=case-holder sh -c 'exec sleep infinity <{device}'")

        volume.delete()
        self.assertTrue(self.wait_for_code(volume, FAILED_PRECONDITION))
        self.assertEqual(finalizers(volume.read()), [f"{GROUP}/logicalvolume"])
        failed = self.wait_for_event(volume, uid, "DeleteFailed")
        self.assertEqual(failed["type"], "Warning")

        volume.annotate("lvmd.io/abandon", "true")
        self.wait_until_gone(volume)
        self.assert_volume(uid, 64 * MIB)
        abandoned = self.wait_for_event(volume, uid, "Abandoned")
        self.assertEqual(abandoned["type"], "Warning")
        self.assertIn(uid, abandoned["message"])
        self.assertEqual(abandoned["involvedObject"]["name"], volume.name)

    def test_the_events_of_a_life(self) -> None:
        """[R-EVENT-1]"""
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"))
        self.wait_for_size(volume, "64Mi")
        self.assertIn("64Mi", self.wait_for_event(volume, uid, "Created")["message"])
        volume.change(size="128Mi")
        self.wait_for_size(volume, "128Mi")
        self.assertIn("128Mi", self.wait_for_event(volume, uid, "Resized")["message"])
        volume.delete()
        self.wait_until_gone(volume)
        self.assertEqual(self.wait_for_event(volume, uid, "Deleted")["type"], "Normal")

    def test_a_retry_does_not_flood(self) -> None:
        """[R-EVENT-2]"""
        volume = self.volume()
        uid = volume.create(self.spec("1Ti"))
        self.wait_for_event(volume, uid, "CreateFailed")
        volume.change(size="2Ti")
        self.wait_for(volume, "the new size is refused", lambda found: (
            found["status"].get("observedGeneration") == found["metadata"]["generation"]
            and found["status"].get("code") == 8))
        self.assertEqual([event["reason"] for event in volume.events(uid)], ["CreateFailed"])
