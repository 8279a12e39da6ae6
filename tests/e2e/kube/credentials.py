"""The credentials of a control plane: tokens, and kubeconfigs."""

from __future__ import annotations

import base64
import json
import secrets
from pathlib import Path

RECONCILER_USER = "system:serviceaccount:lvmd-system:lvmd-reconciler"
"""The service account of packaging/kubernetes/rbac.yaml."""
NODE = "localhost"
SECOND_NODE = "127.0.0.1"
"""The nodes whose kubelets have a token. The API server reaches each kubelet by the name of its
node, which is the host's loopback, and by its own port."""

# The user of each token, and its group.
_USERS = {
    "admin": ("admin", "system:masters"),
    "reconciler": (RECONCILER_USER, "system:serviceaccounts"),
    "kube-controller-manager": ("system:kube-controller-manager",),
    "kube-scheduler": ("system:kube-scheduler",),
    **{f"kubelet-{node}": (f"system:node:{node}", "system:nodes") for node in (NODE, SECOND_NODE)},
}


class Credentials:
    """The paths are fixed. `write` creates the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.admin_token = self._token("admin")
        self.reconciler_token = self._token("reconciler")
        self.token_table = folder / "tokens.csv"
        self.kubeconfig = self.kubeconfig_of("admin")

    def kubeconfig_of(self, name: str) -> Path:
        """The kubeconfig of `admin` or of a component, for a process on this host."""
        return self._folder / ("kubeconfig" if name == "admin" else f"{name}.kubeconfig")

    def write(self, url: str, ca: Path) -> None:
        table = ""
        for name, (user, *group) in _USERS.items():
            token = secrets.token_urlsafe(24)
            table += ",".join([token, user, name, *group]) + "\n"
            _write_private(self._token(name), token)
            _write_private(self.kubeconfig_of(name), self.kubeconfig_text(name, url, ca))
        _write_private(self.token_table, table)

    def kubeconfig_text(self, name: str, url: str, ca: Path) -> str:
        """A kubeconfig that needs no other file."""
        authority = base64.b64encode(ca.read_bytes()).decode()
        cluster = {"server": url, "certificate-authority-data": authority}
        return json.dumps({
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "test", "cluster": cluster}],
            "users": [{"name": name, "user": {"token": self._token(name).read_text()}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": name}}],
            "current-context": "test",
        }, indent=2)

    def _token(self, name: str) -> Path:
        return self._folder / f"{name}.token"


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text)
