"""The reconciler needs no privilege, its token appears in no output, and it has no huge pages."""

from .case import Case
from .reconciler_unit import USER

CAPABILITY_SETS = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")


class Privileges(Case):
    def shell(self, command: str) -> str:
        return self.stage.machine.run(command, check=True).output.strip()

    def status(self) -> dict[str, str]:
        text = self.shell(f"cat /proc/{self.stage.reconciler.pid()}/status")
        return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)

    def test_it_has_none(self) -> None:
        process = self.status()
        self.assertEqual(process["Name"], "lvmd-reconciler")
        self.assertEqual(process["Uid"].split(), [self.shell(f"id -u {USER}")] * 4)
        self.assertNotEqual(process["Uid"].split()[0], "0")
        self.assertEqual({name: int(process[name], 16) for name in CAPABILITY_SETS},
                         dict.fromkeys(CAPABILITY_SETS, 0))
        self.assertEqual(process["NoNewPrivs"], "1")
        self.assertIn(self.shell("getent group lvmd | cut -d: -f3"), process["Groups"].split())

    def test_the_kernel_gives_it_no_huge_pages(self) -> None:
        """[P-RUN-29]"""
        self.assertEqual(self.status()["THP_enabled"], "0")

    def test_the_group_lvmd_is_all_that_lets_it_in(self) -> None:
        connect = ("python3 -c \"import socket; "
                   "socket.socket(socket.AF_UNIX).connect('/run/topolvm/lvmd.sock')\"")
        as_user = f"setpriv --reuid={USER} --regid={USER}"
        refused = self.stage.machine.run(f"{as_user} --clear-groups {connect}")
        self.assertNotEqual(refused.exit_code, 0)
        self.assertIn("Permission denied", refused.output)
        self.shell(f"{as_user} --groups=lvmd {connect}")

    def test_the_token_is_not_logged(self) -> None:
        """[R-KUBE-11]"""
        log = self.stage.reconciler.log()
        self.assertIn("started, version", log)
        self.assertNotIn(self.stage.token.decode(), log)
