"""The command lines of the control plane's servers, and their ports."""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from pathlib import Path

from .certificates import Certificates

# There is one process of each controller, and nobody asks for its metrics.
_ALONE = ("--leader-elect=false", "--secure-port=0")


def etcd_arguments(data: Path, client_port: int, peer_port: int) -> list[str]:
    client = f"http://127.0.0.1:{client_port}"
    peer = f"http://127.0.0.1:{peer_port}"
    return [
        "--name=test",
        f"--data-dir={data}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=test={peer}",
        "--unsafe-no-fsync",  # the data need not survive a power cut
    ]


def apiserver_arguments(port: int, etcd_port: int, certificates: Certificates,
                        token_table: Path) -> list[str]:
    return [
        f"--etcd-servers=http://127.0.0.1:{etcd_port}",
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",  # it would not publish a loopback address
        f"--secure-port={port}",
        f"--tls-cert-file={certificates.server}",
        f"--tls-private-key-file={certificates.server_key}",
        "--service-cluster-ip-range=10.96.0.0/16",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={certificates.service_account_key}",
        f"--service-account-signing-key-file={certificates.service_account_key}",
        f"--token-auth-file={token_table}",
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
        # Pods of Kubernetes' tests of external storage are. Those of lvmd are not: their namespaces
        # forbid it.
        "--allow-privileged=true",
        "--kubelet-preferred-address-types=Hostname",
        "--anonymous-auth=false",
        "--profiling=false",
    ]


def audit_policy(users: Sequence[str]) -> str:
    """The API server's policy that records the requests of these users, without their content."""
    return json.dumps({
        "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
        "rules": [{"level": "Metadata", "users": list(users)}, {"level": "None"}]})


def controller_manager_arguments(kubeconfig: Path, ca: Path,
                                 certificates: Certificates) -> list[str]:
    return [
        f"--kubeconfig={kubeconfig}",
        f"--root-ca-file={ca}",
        f"--service-account-private-key-file={certificates.service_account_key}",
        "--use-service-account-credentials=true",
        *_ALONE,
    ]


def scheduler_arguments(kubeconfig: Path) -> list[str]:
    return [f"--kubeconfig={kubeconfig}", *_ALONE]


def free_ports(count: int) -> list[int]:
    """Loopback ports that are free. All are bound at the same time, so that they differ."""
    held = [socket.socket() for _ in range(count)]
    try:
        for listener in held:
            listener.bind(("127.0.0.1", 0))
        return [listener.getsockname()[1] for listener in held]
    finally:
        for listener in held:
            listener.close()
