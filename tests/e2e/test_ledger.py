"""Volumes without an object, and objects without their volume. The ids in brackets are rules of
docs/reconciler.md."""

import uuid

from .case import MIB, Case
from .stage import VOLUME_GROUP


class Ledger(Case):
    def shell(self, command: str) -> str:
        return self.stage.machine.run(command, check=True).output.strip()

    def page(self) -> str:
        return self.get("ledger")

    def metrics(self) -> str:
        return self.get("metrics")

    def get(self, page: str) -> str:
        """Empty while nobody listens, as just after a start."""
        return self.stage.machine.run(
            f"curl --silent --max-time 5 http://127.0.0.1:8080/{page}").output.strip()

    def restart(self, *flags: str) -> None:
        """The ledger is looked at when the reconciler starts."""
        self.stage.reconciler.stop()
        self.stage.reconciler.set_flags(*flags)
        self.stage.reconciler.start()

    def orphan(self) -> str:
        """The path of a new volume that is named like an object's and has none."""
        name = str(uuid.uuid4())
        self.shell(f"lvcreate -q -y -n {name} -L 8M {VOLUME_GROUP}")
        self.addCleanup(self.stage.machine.run, f"lvremove -q -f {VOLUME_GROUP}/{name}")
        return f"/dev/{VOLUME_GROUP}/{name}"

    def test_what_has_lost_its_counterpart_is_told(self) -> None:
        """[R-LEDG-1, R-LEDG-2, R-LEDG-4]"""
        lost, kept = self.volume("-lost"), self.volume("-kept")
        lost_uid, kept_uid = (volume.create(self.spec("8Mi")) for volume in (lost, kept))
        for volume in (lost, kept):
            self.wait_for_size(volume, "8Mi")
        self.shell(f"lvremove -q -f {VOLUME_GROUP}/{lost_uid}")
        path = self.orphan()
        self.restart()
        self.eventually("both are told", lambda: (
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
        free, held = self.orphan(), self.orphan()
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
