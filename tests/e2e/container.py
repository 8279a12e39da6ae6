"""Runs the container of the pod with podman in the VM, with the settings of the pod's spec."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from tests.e2e.kube import ControlPlane
from tests.e2e.kube.certificates import GUEST_VIEW_OF_HOST
from tools.vm import Machine

from .daemon_pod import DaemonPod

_CREDENTIALS = "/run/e2e-container"
_MOUNTED = "/var/run/secrets/kubernetes.io/serviceaccount"


class Container:
    """Does the work of a kubelet for one pod. Raises CommandFailed."""

    def __init__(self, machine: Machine, plane: ControlPlane, pod: DaemonPod) -> None:
        self._machine = machine
        self._plane = plane
        self._pod = pod

    def load(self, archive: Path) -> None:
        """Loads the image into podman, with the name in the image."""
        self._machine.write_file("/run/image.oci.tar", archive.read_bytes())
        self._shell("podman load --quiet --input=/run/image.oci.tar && rm /run/image.oci.tar")

    def start(self) -> None:
        self._machine.write_file(f"{_CREDENTIALS}/ca.crt", self._plane.ca.read_bytes())
        self._machine.write_file(f"{_CREDENTIALS}/token", self._pod.token().encode())
        self._shell(shlex.join(["podman", "run", "--detach", f"--name={self._pod.name}",
                                *self._options(), *self._from_spec()]))

    def stop(self) -> int:
        """Sends SIGTERM. Returns the exit code."""
        self._shell(f"podman stop --time={self._pod.spec['terminationGracePeriodSeconds']} "
                    f"{self._pod.name}")
        return int(self._shell(f"podman wait {self._pod.name}"))

    def remove(self) -> None:
        self._shell(f"podman rm --force --ignore {self._pod.name}")

    def pid(self) -> int:
        return int(self._inspect()["State"]["Pid"])

    def log(self) -> str:
        return self._shell(f"podman logs {self._pod.name}")

    def get(self, path: str, port: str) -> str:
        """The content of a page at the container's port of that name. Raises CommandFailed if the
        response is an error."""
        [container] = self._pod.spec["containers"]
        number = next(entry["containerPort"] for entry in container["ports"] if entry["name"] == port)
        return self._shell(f"curl --fail --silent --show-error --max-time 5 "
                           f"http://127.0.0.1:{number}{path}")

    def _options(self) -> list[str]:
        """Settings that are not in the pod's spec: the network access to the API server, and the
        account's files."""
        port = self._plane.url.rsplit(":", 1)[1]
        return [
            "--pull=never",
            "--network=host",  # the container reaches the API server through the VM's network
            f"--env=KUBERNETES_SERVICE_HOST={GUEST_VIEW_OF_HOST}",
            f"--env=KUBERNETES_SERVICE_PORT={port}",
            f"--volume={_CREDENTIALS}:{_MOUNTED}:ro",
        ]

    def _from_spec(self) -> list[str]:
        pod = self._pod.spec
        [container] = pod["containers"]
        return [*_security(pod["securityContext"], container["securityContext"]),
                *self._environment(container), *_mounts(pod, container),
                f"--memory={container['resources']['limits']['memory'].removesuffix('i').lower()}",
                container["image"], *container["args"]]

    def _environment(self, container: dict[str, Any]) -> list[str]:
        fields = {"spec.nodeName": self._pod.node}
        return [f"--env={entry['name']}={fields[entry['valueFrom']['fieldRef']['fieldPath']]}"
                for entry in container["env"]]

    def _inspect(self) -> dict[str, Any]:
        return json.loads(self._shell(f"podman inspect {self._pod.name}"))[0]

    def _shell(self, command: str) -> str:
        return self._machine.run(command, timeout=300, check=True).output.strip()


def _security(pod: dict[str, Any], container: dict[str, Any]) -> list[str]:
    # RuntimeDefault is podman's default. Any other profile would have to be translated.
    if pod["seccompProfile"] != {"type": "RuntimeDefault"}:
        raise ValueError(f"no translation for the seccomp profile {pod['seccompProfile']}")
    options = [f"--user={pod['runAsUser']}:{pod['runAsGroup']}"]
    options += [f"--group-add={group}" for group in pod["supplementalGroups"]]
    options += [f"--cap-drop={name}" for name in container["capabilities"]["drop"]]
    if not container["allowPrivilegeEscalation"]:
        options.append("--security-opt=no-new-privileges")
    if container["readOnlyRootFilesystem"]:
        options += ["--read-only", "--read-only-tmpfs=false"]
    return options


def _mounts(pod: dict[str, Any], container: dict[str, Any]) -> list[str]:
    folders = {volume["name"]: volume["hostPath"]["path"] for volume in pod["volumes"]}
    return [f"--volume={folders[mount['name']]}:{mount['mountPath']}"
            + (":ro" if mount.get("readOnly") else "") for mount in container["volumeMounts"]]
