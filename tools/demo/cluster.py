"""The story of `./dev demo cluster`, told with kubectl: a claim becomes a volume in a pod, and what
becomes of both. Runs as a program of its own, after `./dev` has made everything that it needs."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.cluster import installation, stage
from tests.cluster.claim import Claim
from tools.vm.cluster import IMAGE

_WAIT_SECONDS = 120.0
_CLAIM, _RESTORED, _CLONE = "data", "restored", "clone"
_ALL_CLAIMS = (_CLAIM, _RESTORED, _CLONE)
_READER = "reader"


def _claim(name: str, source: str = "") -> str:
    return f"""\
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {name}
spec:
  storageClassName: {installation.THIN}
  accessModes: [ReadWriteOnce]
  resources: {{requests: {{storage: 256Mi}}}}
{source}"""


def _pod(name: str, claims: tuple[str, ...]) -> str:
    mounts = "".join(f"        - {{name: {claim}, mountPath: /{claim}}}\n" for claim in claims)
    volumes = "".join(f"    - name: {claim}\n      persistentVolumeClaim: {{claimName: {claim}}}\n"
                      for claim in claims)
    return f"""\
apiVersion: v1
kind: Pod
metadata:
  name: {name}
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: shell
      image: {IMAGE}
      imagePullPolicy: Never
      command: [sleep, infinity]
      volumeMounts:
{mounts}  volumes:
{volumes}"""


_SNAPSHOT = f"""\
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: before
spec:
  volumeSnapshotClassName: {installation.SNAPSHOTS}
  source: {{persistentVolumeClaimName: {_CLAIM}}}
"""
_FROM_SNAPSHOT = "  dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: before}\n"
_FROM_CLAIM = f"  dataSource: {{kind: PersistentVolumeClaim, name: {_CLAIM}}}\n"


class Story:
    """Prints each command and its output. Raises KubeError if one fails."""

    def __init__(self, bed: stage.Stage) -> None:
        self._bed = bed
        self._volume = ""

    def tell(self) -> None:
        self._show_cluster()
        self._make_claim()
        self._write()
        self._grow()
        self._copy()
        self._remove()

    def _show_cluster(self) -> None:
        _say("A cluster: one node with kubelet, and lvmd as its CSI driver. No pod is privileged")
        self._kubectl("get", "nodes,csidrivers,csinodes,storageclasses")
        self._on_node("lvs", "-o", "lv_name,lv_size,pool_lv", stage.VOLUME_GROUP)

    def _make_claim(self) -> None:
        _say("A claim, and a pod that uses it")
        self._create(_claim(_CLAIM), _pod("writer", (_CLAIM,)))
        self._wait_for("pod/writer", "condition=Ready")
        self._kubectl("get", "persistentvolumeclaims,persistentvolumes")
        self._volume = Claim(self._bed.plane, _CLAIM).volume_name
        self._kubectl("get", "logicalvolumes.topolvm.io")
        self._on_node("lvs", "-o", "lv_name,lv_size,pool_lv", stage.VOLUME_GROUP)

    def _write(self) -> None:
        _say("The pod writes a file")
        self._in_pod("writer", f"echo written before the snapshot >/{_CLAIM}/file && sync")
        self._in_pod("writer", f"df -h /{_CLAIM}")

    def _grow(self) -> None:
        _say("The claim grows to 512 MiB while the pod runs. kubelet checks its volumes once a minute")
        self._kubectl("patch", "persistentvolumeclaim", _CLAIM,
                      '--patch={"spec":{"resources":{"requests":{"storage":"512Mi"}}}}')
        self._wait_for(f"persistentvolumeclaim/{_CLAIM}",
                       "jsonpath={.status.capacity.storage}=512Mi")
        self._in_pod("writer", f"df -h /{_CLAIM}")

    def _copy(self) -> None:
        _say("A snapshot")
        self._create(_SNAPSHOT)
        self._wait_for("volumesnapshot/before", "jsonpath={.status.readyToUse}=true")
        self._in_pod("writer", f"echo written after the snapshot >/{_CLAIM}/file && sync")
        self._kubectl("get", "volumesnapshots")
        _say("A claim with the content of the snapshot, a clone of the first claim, and a pod that "
             "reads both")
        self._create(_claim(_RESTORED, _FROM_SNAPSHOT).replace("256Mi", "512Mi"),
                     _claim(_CLONE, _FROM_CLAIM).replace("256Mi", "512Mi"),
                     _pod(_READER, (_RESTORED, _CLONE)))
        self._wait_for(f"pod/{_READER}", "condition=Ready")
        self._in_pod(_READER, f"head /{_RESTORED}/file /{_CLONE}/file")
        self._on_node("lvs", "-o", "lv_name,lv_size,pool_lv,origin", stage.VOLUME_GROUP)

    def _remove(self) -> None:
        _say("All of it is deleted, and nothing is left on the node")
        self._kubectl("delete", "pod", "writer", _READER)
        self._kubectl("delete", "volumesnapshot", "before")
        self._kubectl("delete", "persistentvolumeclaim", *_ALL_CLAIMS)
        _until("the volumes are removed", lambda: not self._left())
        self._kubectl("get", "persistentvolumes,logicalvolumes.topolvm.io")
        self._on_node("lvs", "-o", "lv_name,lv_size,pool_lv", stage.VOLUME_GROUP)
        _say("The states of the first volume (status.csiStatus), in order")
        print(" → ".join(self._bed.states.of(self._volume)), flush=True)

    def _left(self) -> list[Any]:
        plane = self._bed.plane
        return [item for path in ("/api/v1/persistentvolumes",
                                  f"/apis/{installation.DRIVER}/v1/logicalvolumes")
                for item in (plane.read(path) or {})["items"]]

    def _create(self, *manifests: str) -> None:
        text = "---\n".join(manifests)
        _manifest(text)
        self._kubectl("create", "--filename=-", input=text)

    def _wait_for(self, what: str, condition: str) -> None:
        self._kubectl("wait", what, f"--for={condition}", f"--timeout={_WAIT_SECONDS:.0f}s")

    def _in_pod(self, pod: str, script: str) -> None:
        self._kubectl("exec", pod, "--", "/bin/sh", "-c", script)

    def _kubectl(self, *words: str, input: str | None = None) -> None:
        _command("kubectl", *words)
        print(self._bed.plane.kubectl(*words, input=input), end="", flush=True)

    def _on_node(self, *words: str) -> None:
        _command("ssh", "node", *words)
        print(self._bed.node.shell(shlex.join(words)), flush=True)


def _say(text: str) -> None:
    print(f"\n\033[1m── {text}\033[0m", flush=True)


def _command(*words: str) -> None:
    print(f"\033[36m$ {shlex.join(words)}\033[0m", flush=True)


def _manifest(text: str) -> None:
    print("".join(f"    {line}\n" for line in text.splitlines()), end="", flush=True)


def _until(what: str, attempt: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _WAIT_SECONDS
    while not attempt():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {_WAIT_SECONDS:.0f} s: {what}")
        time.sleep(0.3)


def main() -> int:
    bed = stage.shared()
    begin = time.monotonic()
    try:
        Story(bed).tell()
    except Exception as error:
        print(f"demo: {error}\n{bed.describe()}", file=sys.stderr)
        return 1
    _say(f"The demo took {time.monotonic() - begin:.0f} s after the start of the cluster")
    return 0


if __name__ == "__main__":
    sys.exit(main())
