"""The pages for probes and scrapers. The ids in brackets are rules of docs/reconciler.md."""

from .case import Case


class Probes(Case):
    def get(self, page: str) -> tuple[str, str]:
        """The HTTP status and the text of a page of the running reconciler."""
        done = self.stage.machine.run(
            "curl --silent --max-time 5 --write-out '\\n%{http_code}' "
            f"http://127.0.0.1:8080{page}", check=True)
        text, _, code = done.output.strip().rpartition("\n")
        return code, text

    def test_ready_as_long_as_lvmd_is_there(self) -> None:
        """[R-SERVE-1, R-SERVE-3, R-CLI-11]"""
        self.addCleanup(self.stage.machine.run, "systemctl start lvmd.socket lvmd.service",
                        check=True)
        self.eventually("ready", lambda: self.get("/readyz")[0] == "200",
                        lambda: str(self.get("/readyz")))
        self.stage.machine.run("systemctl stop lvmd.socket lvmd-ro.socket lvmd.service", check=True)
        self.eventually("not ready", lambda: self.get("/readyz")[0] == "503",
                        lambda: str(self.get("/readyz")))
        self.assertIn("lvmd does not report its capacity", self.get("/readyz")[1])
        self.assertEqual(self.get("/healthz")[0], "200")
        self.stage.machine.run("systemctl start lvmd.socket lvmd.service", check=True)
        self.eventually("ready again", lambda: self.get("/readyz")[0] == "200",
                        lambda: str(self.get("/readyz")))

    def test_metrics_count_volumes(self) -> None:
        """[R-SERVE-4]"""
        volume = self.volume()
        volume.create(self.spec("1Ti"))
        self.wait_for_code(volume, 8)
        self.eventually("one has failed", lambda: (
            'lvmd_reconciler_volumes{phase="Failed"} 0' not in self.get("/metrics")[1]),
            lambda: self.get("/metrics")[1])
        self.assertIn("controller_runtime_reconcile_total", self.get("/metrics")[1])
        self.assertNotIn(volume.name, self.get("/metrics")[1])
