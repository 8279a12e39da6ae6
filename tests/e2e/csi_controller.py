"""csi-controller's manifests and its service account, in the API only."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

from tests.e2e.kube import ControlPlane, KubeError

from .daemon_pod import PACKAGING
from .logical_volume import GROUP

NAMESPACE = "lvmd-csi"
ACCOUNT = "lvmd-csi-controller"
USER = f"system:serviceaccount:{NAMESPACE}:{ACCOUNT}"
POLICY = f"ValidatingAdmissionPolicy '{ACCOUNT}'"
MANIFESTS = PACKAGING / "csi"
ATTACH_MANIFESTS = PACKAGING / "csi-attach"
LEGACY_MANIFESTS = PACKAGING / "csi-cybozu"
_PROBE = "csi-policy-probe"
_IN_FORCE_SECONDS = 60.0


def install(plane: ControlPlane, manifests: Path = MANIFESTS) -> str:
    """Applies the manifests, also in place of ATTACH_MANIFESTS or the reverse. Returns a token of
    the account, once its rights and the policy are in force. Can be repeated."""
    plane.kubectl("delete", "csidriver", GROUP, "--ignore-not-found")
    plane.apply(manifests)
    token = plane.kubectl("create", "token", ACCOUNT, f"--namespace={NAMESPACE}").strip()
    plane.kubectl("apply", "--filename=-", input=json.dumps({
        "apiVersion": f"{GROUP}/v1", "kind": "LogicalVolume", "metadata": {"name": _PROBE},
        "spec": {"name": _PROBE, "nodeName": "nowhere", "size": "1Gi"}}))
    deadline = time.monotonic() + _IN_FORCE_SECONDS
    while POLICY not in plane.call(
            "PATCH", f"/apis/{GROUP}/v1/logicalvolumes/{_PROBE}?dryRun=All", token,
            {"metadata": {"labels": {"probe": "yes"}}}).message:
        if time.monotonic() > deadline:
            raise KubeError(f"{POLICY} was not in force after {_IN_FORCE_SECONDS:.0f} s")
        time.sleep(0.2)
    plane.kubectl("delete", "logicalvolumes.topolvm.io", _PROBE)
    return token


def pod_template(plane: ControlPlane) -> dict[str, Any]:
    """The template of the Deployment's pods."""
    found = plane.kubectl("get", "deployment", "csi-controller", "--output=json",
                          f"--namespace={NAMESPACE}")
    return dict(json.loads(found)["spec"]["template"])


def write_kubeconfig(plane: ControlPlane, token: str, file: Path) -> Path:
    """Writes a kubeconfig of the account."""
    ca = base64.b64encode(plane.ca.read_bytes()).decode()
    file.touch(mode=0o600)
    file.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "csi",
        "contexts": [{"name": "csi", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": plane.url,
                                               "certificate-authority-data": ca}}],
        "users": [{"name": "u", "user": {"token": token}}]}))
    return file
