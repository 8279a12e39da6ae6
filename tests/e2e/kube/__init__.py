"""A real Kubernetes API on the host's loopback, for tests: etcd and kube-apiserver."""

from .api_call import Answer
from .control_plane import ControlPlane
from .credentials import RECONCILER_USER
from .errors import KubeError

__all__ = ["RECONCILER_USER", "Answer", "ControlPlane", "KubeError"]
