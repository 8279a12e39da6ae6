"""The conditions in the status. The ids in brackets are rules of docs/reconciler.md."""

from .case import Case, condition, status

RESOURCE_EXHAUSTED = 8


class Conditions(Case):
    def shell(self, command: str) -> str:
        return self.stage.machine.run(command, check=True).output.strip()

    def test_a_volume_made_and_grown(self) -> None:
        """[R-OBJ-24, R-OBJ-25]"""
        volume = self.volume()
        volume.create(self.spec("64Mi"))
        made = self.wait_for_size(volume, "64Mi")
        self.assertEqual(status(made)["observedGeneration"], made["metadata"]["generation"])
        ready, resized = condition(made, "Ready"), condition(made, "Resized")
        self.assertEqual((ready["status"], ready["reason"]), ("True", "Provisioned"))
        self.assertEqual((resized["status"], resized["reason"]), ("True", "SizeReached"))
        volume.change(size="128Mi")
        grown = self.wait_for_size(volume, "128Mi")
        self.assertGreater(grown["metadata"]["generation"], made["metadata"]["generation"])
        self.assertEqual(status(grown)["observedGeneration"], grown["metadata"]["generation"])
        self.assertEqual(condition(grown, "Ready"), ready)

    def test_a_refused_creation(self) -> None:
        """[R-FAIL-2, R-OBJ-25, R-CREATE-4]"""
        volume = self.volume()
        uid = volume.create(self.spec("1Ti"))
        message = self.wait_for_code(volume, RESOURCE_EXHAUSTED)
        ready = condition(volume.read(), "Ready")
        self.assertEqual((ready["status"], ready["reason"], ready["message"]),
                         ("False", "NotEnoughSpace", message))
        self.wait_for_event(volume, uid, "CreateFailed")
        volume.change(size="64Mi")
        self.wait_for_size(volume, "64Mi")
        self.assertEqual(self.wait_for_condition(volume, "Ready", "True")["reason"], "Provisioned")

    def test_a_refused_growth_leaves_the_volume_ready(self) -> None:
        """[R-OBJ-25, R-GROW-3]"""
        volume = self.volume()
        volume.create(self.spec("64Mi"))
        self.wait_for_size(volume, "64Mi")
        volume.change(size="1Ti")
        self.wait_for_code(volume, RESOURCE_EXHAUSTED)
        found = volume.read()
        self.assertEqual(condition(found, "Resized")["reason"], "NotEnoughSpace")
        self.assertEqual(condition(found, "Ready")["status"], "True")

    def test_an_old_failure_is_not_shown_for_a_new_request(self) -> None:
        """[R-FAIL-9, R-FAIL-11, R-GROW-6]"""
        volume = self.volume()
        volume.create(self.spec("64Mi"))
        self.wait_for_size(volume, "64Mi")
        for ask in (lambda: volume.change(size="128Mi"),
                    lambda: volume.annotate("topolvm.io/resize-requested-at", "now")):
            volume.change(size="1Ti")
            self.wait_for_code(volume, RESOURCE_EXHAUSTED)
            self.addCleanup(self.shell, "systemctl start lvmd.socket lvmd.service")
            self.shell("systemctl stop lvmd.socket lvmd-ro.socket lvmd.service")
            ask()
            pending = self.wait_for_condition(volume, "Resized", "Unknown")
            self.assertEqual(pending["reason"], "Pending")
            found = status(volume.read())
            self.assertEqual(found.get("code", 0), 0)
            self.assertFalse(found.get("message"))
            self.shell("systemctl start lvmd.socket lvmd.service")
        self.wait_for_code(volume, RESOURCE_EXHAUSTED)
