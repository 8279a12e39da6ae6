"""A real Kubernetes API on the host's loopback, for tests: etcd, kube-apiserver and, if wanted, the
controllers."""

from .api_call import Answer
from .control_plane import ControlPlane
from .credentials import NODE, RECONCILER_USER, SECOND_NODE
from .errors import KubeError

__all__ = ["NODE", "RECONCILER_USER", "SECOND_NODE", "Answer", "ControlPlane", "KubeError"]
