"""The network of the node's pods, and the Service `kubernetes` in it."""

from __future__ import annotations

import json

from tests.e2e.kube import ControlPlane
from tests.e2e.kube.certificates import API_SERVICE
from tests.system.node import Node

_SUBNET = "10.244.0.0/24"
_NETWORK = {"cniVersion": "0.4.0", "name": "pods", "plugins": [{
    "type": "bridge", "bridge": "cni0", "isGateway": True,
    "ipam": {"type": "host-local", "ranges": [[{"subnet": _SUBNET}]],
             "routes": [{"dst": "0.0.0.0/0"}]}}]}
# systemd-networkd would take the ends of the pods off the bridge.
_NOT_MANAGED = "[Match]\nName=cni0 veth*\n\n[Link]\nUnmanaged=yes\n"
_PROXY = "api-service"
# Debian's programs for CNI, with a bridge to which all pods are connected.
_START = f"""
set -e
networkctl reload
ln --symbolic --force /usr/lib/cni/bridge /usr/lib/cni/host-local /usr/lib/cni/loopback /opt/cni/bin
rm /etc/cni/net.d/*
mv /run/pods.conflist /etc/cni/net.d/10-pods.conflist
systemctl restart containerd.service
ip address add {API_SERVICE}/32 dev lo
systemctl daemon-reload
systemctl start {_PROXY}.socket
"""


def set_up(node: Node, plane: ControlPlane) -> None:
    """Connects all later pods with the node. There they reach the API server by its Service, as
    pods of each cluster do.

    One process stands for kube-proxy: it forwards the connections to this Service, the only one.
    The API server is not on the node, so a rule of the kernel would have to translate both
    addresses of each packet.
    """
    server = plane.url_for_guest.removeprefix("https://")
    units = "/run/systemd/system"
    node.write("/etc/systemd/network/05-pods.network", _NOT_MANAGED)
    node.write("/run/pods.conflist", json.dumps(_NETWORK))
    node.write(f"{units}/{_PROXY}.socket", f"[Socket]\nListenStream={API_SERVICE}:443\n")
    node.write(f"{units}/{_PROXY}.service",
               f"[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd {server}\n")
    node.shell(_START)
