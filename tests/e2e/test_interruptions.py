"""After any stop, kill or lost connection, the actual state becomes the desired state."""

from tests.e2e.kube.certificates import GUEST_VIEW_OF_HOST

from .case import MIB, Case, status


class Interruptions(Case):
    def shell(self, command: str) -> str:
        return self.stage.machine.run(command, check=True).output.strip()

    def test_lvmd_is_away_when_an_object_is_made(self) -> None:
        """[R-CLI-23]"""
        self.addCleanup(self.shell, "systemctl start lvmd.socket lvmd.service")
        self.shell("systemctl stop lvmd.socket lvmd-ro.socket lvmd.service")
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"))
        self.eventually("the reconciler has tried", lambda: (
            f"{volume.group}/{volume.name} {uid}: look up UNAVAILABLE"
            in self.stage.reconciler.log(200)), lambda: "")
        self.assertEqual(status(volume.read()), {})  # R-FAIL-9
        self.shell("systemctl start lvmd.socket lvmd.service")
        self.wait_for_size(volume, "64Mi")
        self.assert_volume(uid, 64 * MIB)

    def test_the_reconciler_is_killed(self) -> None:
        """[R-RUN-1]"""
        grown, removed, new = self.volume("-grown"), self.volume("-removed"), self.volume("-new")
        grown_uid = grown.create(self.spec("64Mi"))
        removed_uid = removed.create(self.spec("64Mi"))
        self.wait_for_size(grown, "64Mi")
        self.wait_for_size(removed, "64Mi")

        self.addCleanup(self.stage.reconciler.start)
        self.stage.reconciler.kill()
        grown.change(size="128Mi")
        removed.delete()
        new_uid = new.create(self.spec("64Mi"))
        self.stage.reconciler.start()

        self.wait_for_size(grown, "128Mi")
        self.assert_volume(grown_uid, 128 * MIB)
        self.wait_until_gone(removed)
        self.assert_no_volume(removed_uid)
        self.wait_for_size(new, "64Mi")
        self.assert_volume(new_uid, 64 * MIB)

    def test_killed_in_the_middle_of_its_work(self) -> None:
        """[R-RUN-1]"""
        volumes = [self.volume(f"-{number}") for number in range(3)]
        self.addCleanup(self.stage.reconciler.start)
        uids = []
        for volume in volumes:
            uids.append(volume.create(self.spec("64Mi")))
            self.stage.reconciler.kill()
            self.stage.reconciler.start()
        for volume, uid in zip(volumes, uids):
            self.wait_for_size(volume, "64Mi")
            self.assert_volume(uid, 64 * MIB)

    def test_sigterm_ends_it_with_exit_status_0(self) -> None:
        self.addCleanup(self.stage.reconciler.start)
        self.stage.reconciler.start()
        self.assertEqual(self.stage.reconciler.stop(), "exited 0")

    def test_the_api_server_cannot_be_reached_for_a_while(self) -> None:
        """[R-KUBE-7]"""
        removed, new = self.volume("-removed"), self.volume("-new")
        removed_uid = removed.create(self.spec("64Mi"))
        self.wait_for_size(removed, "64Mi")

        self.addCleanup(self.shell, f"ip route flush exact {GUEST_VIEW_OF_HOST} type unreachable")
        self.shell(f"ip route add unreachable {GUEST_VIEW_OF_HOST}")
        self.shell(f"ss --kill --tcp dst {GUEST_VIEW_OF_HOST}")
        self.assertEqual(
            self.shell(f"ss --no-header --tcp state established dst {GUEST_VIEW_OF_HOST}"), "")
        removed.delete()
        new_uid = new.create(self.spec("64Mi"))
        self.assertIsNotNone(removed.read())
        self.shell(f"ip route del unreachable {GUEST_VIEW_OF_HOST}")

        self.wait_until_gone(removed)
        self.assert_no_volume(removed_uid)
        self.wait_for_size(new, "64Mi")
        self.assert_volume(new_uid, 64 * MIB)
