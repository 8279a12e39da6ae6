"""The credentials of a control plane: tokens, and a kubeconfig for kubectl."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

RECONCILER_USER = "system:serviceaccount:lvmd-system:lvmd-reconciler"
"""The service account of packaging/kubernetes/rbac.yaml."""


class Credentials:
    """The paths are fixed. `write` creates the files."""

    def __init__(self, folder: Path) -> None:
        self.admin_token = folder / "admin.token"
        self.reconciler_token = folder / "reconciler.token"
        self.token_table = folder / "tokens.csv"
        self.kubeconfig = folder / "kubeconfig"

    def write(self, url: str, ca: Path) -> None:
        admin, reconciler = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        table = (f'{admin},admin,admin,"system:masters"\n'
                 f'{reconciler},{RECONCILER_USER},reconciler,"system:serviceaccounts"\n')
        _write_private(self.admin_token, admin)
        _write_private(self.reconciler_token, reconciler)
        _write_private(self.token_table, table)
        _write_private(self.kubeconfig, _kubeconfig(url, ca, admin))


def _kubeconfig(url: str, ca: Path, token: str) -> str:
    cluster = {"server": url, "certificate-authority": str(ca)}
    return json.dumps({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "test", "cluster": cluster}],
        "users": [{"name": "admin", "user": {"token": token}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "admin"}}],
        "current-context": "test",
    }, indent=2)


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text)
