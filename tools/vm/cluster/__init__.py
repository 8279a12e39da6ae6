"""The variant of the test VM that is the node of a cluster: containerd with an image, and kubelet.

containerd runs in the saved VM. kubelet does not, because it needs the credentials of its control
plane: write /etc/kubernetes/kubelet.conf and add `port` to /etc/kubernetes/kubelet.yaml, then start
kubelet.service. Containers use the image IMAGE.
"""

from pathlib import Path

from ..variant import Variant

IMAGE = "localhost/busybox:1"
"""All programs of busybox, in /bin."""
_HERE = Path(__file__).parent
_NETWORK_PLUGIN = _HERE / "network_plugin.sh"


def variant(kubelet: Path) -> Variant:
    """`kubelet`: the program."""
    return Variant(
        name="cluster",
        packages=("containerd", "runc", "busybox-static"),
        files={
            "/etc/cni/net.d/10-none.conflist": _HERE / "network.conflist",
            "/etc/containerd/config.toml": _HERE / "containerd.toml",
            "/etc/kubernetes/kubelet.yaml": _HERE / "kubelet.yaml",
            "/etc/systemd/system/kubelet.service": _HERE / "kubelet.service",
            # containerd calls the second one for each pod.
            "/opt/cni/bin/none": _NETWORK_PLUGIN,
            "/opt/cni/bin/loopback": _NETWORK_PLUGIN,
            "/usr/local/bin/kubelet": kubelet,
        },
        preparation=(_HERE / "prepare.sh").read_text(),
    )
