"""A reconciler with a kubeconfig. The ids in brackets are rules of docs/reconciler.md."""

import base64
import json

from .case import Case
from .reconciler_unit import USER

_FILE = "/run/case-kubeconfig/config"
_UNIT = "case-kubeconfig"


class Kubeconfig(Case):
    def text(self) -> str:
        """All in one file, in the format of `kubectl config view --flatten`."""
        ca = base64.b64encode(self.stage.plane.ca.read_bytes()).decode()
        return json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "case",
            "contexts": [{"name": "case", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {
                "server": self.stage.plane.url_for_guest, "certificate-authority-data": ca}}],
            "users": [{"name": "u", "user": {"token": self.stage.token.decode().strip()}}],
        })

    def test_all_objects_are_known_by_it(self) -> None:
        """[R-CLI-13]"""
        machine = self.stage.machine
        machine.run("mkdir /run/case-kubeconfig", check=True)
        machine.write_file(_FILE, self.text().encode())
        machine.run(f"chown {USER} {_FILE}", check=True)
        self.addCleanup(machine.run, f"systemctl stop {_UNIT}")
        machine.run(
            f"systemd-run --quiet --unit={_UNIT} --uid={USER} -p SupplementaryGroups=lvmd "
            f"lvmd-reconciler --store=kube --node-name=vm --kubeconfig={_FILE} --dry-run "
            "--listen-address=127.0.0.1:8090", check=True)
        ready = "curl --silent --max-time 5 http://127.0.0.1:8090/readyz"
        self.eventually("ready", lambda: machine.run(ready).output == "ready\n",
                        lambda: machine.run(f"{ready}; journalctl -u {_UNIT} -n 20").output)
