"""Starts and stops the servers of a control plane for a test."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tools.go.build import Progress, build
from .api_call import Answer, call
from .certificates import GUEST_VIEW_OF_HOST, make_certificates
from .credentials import Credentials
from .errors import KubeError
from .server_process import ServerProcess
from .servers import (apiserver_arguments, audit_policy, controller_manager_arguments,
                      etcd_arguments, free_ports, scheduler_arguments)

_START_SECONDS = 240.0
_KUBECTL_SECONDS = 180.0
_CONTROLLERS = ("kube-controller-manager", "kube-scheduler")


class ControlPlane:
    """A Kubernetes API without nodes, from `__enter__` to `__exit__`. With `controllers`, also
    kube-controller-manager and kube-scheduler. The requests of the `audited` users are in
    `audit_log`.

        with ControlPlane(cache, workdir) as plane:
            plane.apply(Path("packaging/kubernetes/crds"))

    Listens on 127.0.0.1 only. All its files (logs, data, keys, tokens) are in `workdir`, a new or
    empty folder, which is kept. Ends only the processes that it started. `cache` is the folder of
    the Go programs. Entering the context builds missing ones.
    """

    def __init__(self, cache: Path, workdir: Path, progress: Progress = print,
                 controllers: bool = False, audited: Sequence[str] = ()) -> None:
        self._cache = cache
        self._audited = audited
        self._controllers = controllers
        self._workdir = workdir.resolve()
        self._progress = progress
        self._credentials = Credentials(self._workdir)
        self._commands: list[tuple[Path, list[str]]] = []
        self._servers: list[ServerProcess] = []
        self._kubectl = Path()
        self._port = 0

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._port}"

    @property
    def url_for_guest(self) -> str:
        """The same server, at the address for a QEMU guest on a user network."""
        return f"https://{GUEST_VIEW_OF_HOST}:{self._port}"

    @property
    def ca(self) -> Path:
        """The PEM file of the authority that signed the server's certificate."""
        return self._workdir / "certificates" / "ca.crt"

    @property
    def server_certificate(self) -> Path:
        """The PEM file of the server's certificate, for a server that replaces it."""
        return self._workdir / "certificates" / "server.crt"

    @property
    def server_key(self) -> Path:
        return self._workdir / "certificates" / "server.key"

    @property
    def audit_log(self) -> Path:
        """A line of JSON for each request that the API server has answered, and for each watch that
        it has begun to answer."""
        return self._workdir / "audit.log"

    @property
    def admin_token(self) -> Path:
        """The file with the token of a user with all rights."""
        return self._credentials.admin_token

    @property
    def reconciler_token(self) -> Path:
        """The file with a token of the user RECONCILER_USER, with the rights of the applied
        RBAC."""
        return self._credentials.reconciler_token

    @property
    def kubeconfig(self) -> Path:
        """A kubeconfig for kubectl by hand, with all rights."""
        return self._credentials.kubeconfig

    def kubelet_kubeconfig(self, node: str) -> str:
        """The text of a kubeconfig for the kubelet of `node`, NODE or SECOND_NODE, in a QEMU
        guest."""
        return self._credentials.kubeconfig_text(f"kubelet-{node}", self.url_for_guest, self.ca)

    @property
    def kubeconfig_for_guest(self) -> str:
        """The text of a kubeconfig with all rights, for a program in a QEMU guest."""
        return self._credentials.kubeconfig_text("admin", self.url_for_guest, self.ca)

    def __enter__(self) -> ControlPlane:
        names = ["etcd", "kube-apiserver", "kubectl", *(_CONTROLLERS if self._controllers else ())]
        programs = {name: build(name, self._cache, self._progress) for name in names}
        self._kubectl = programs["kubectl"]
        started = time.monotonic()
        try:
            self._prepare(programs)
            self._start()
        except BaseException:
            self._stop()
            raise
        self._progress(f"Kubernetes API ready at {self.url} in {time.monotonic() - started:.1f} s")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._stop()

    def restart(self) -> None:
        """Ends all servers, and starts them with the same data at the same addresses. Returns when
        the API server is ready."""
        self._stop()
        self._start()

    @property
    def kubectl_program(self) -> Path:
        """The kubectl of the control plane's version."""
        return self._kubectl

    def call(self, method: str, path: str, token: str,
             body: dict[str, Any] | None = None) -> Answer:
        """The API server's response to one request of the user of `token`. Raises OSError."""
        return call(method, f"{self.url}{path}", self.ca, token, body)

    def read(self, path: str) -> dict[str, Any] | None:
        """The object or the list at a path, with all rights; None if there is none. Faster than
        kubectl. Raises KubeError."""
        try:
            answer = self.call("GET", path, self.admin_token.read_text())
        except OSError as error:
            raise KubeError(f"GET {path} got no answer: {error}") from error
        if answer.status not in (200, 404):
            raise KubeError(f"GET {path} was answered with {answer.status}: {answer.message}")
        return answer.body if answer.status == 200 else None

    def kubectl(self, *arguments: str | Path, input: str | None = None,
                token: str | None = None) -> str:
        """kubectl's standard output. Raises KubeError, with its standard error, if it fails. Acts
        as admin, or as the user of the bearer `token`."""
        strings = [str(word) for word in arguments]
        command = [str(self._kubectl), f"--kubeconfig={self.kubeconfig}",
                   f"--cache-dir={self._workdir / 'kubectl-cache'}", *strings]
        if token is not None:
            command.append(f"--token={token}")
        shown = f"kubectl {' '.join(strings)}"
        try:
            done = subprocess.run(command, input=input or "", capture_output=True, text=True,
                                  check=False, timeout=_KUBECTL_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise KubeError(f"{shown} took more than {_KUBECTL_SECONDS:.0f} s") from error
        if done.returncode != 0:
            raise KubeError(f"{shown} failed with exit code {done.returncode}: "
                            f"{done.stderr.strip()}")
        return done.stdout

    def apply(self, path: Path) -> None:
        """Applies a manifest, all manifests in a folder, or a folder's kustomization. On return,
        the kinds that it defines are served."""
        is_kustomization = (path / "kustomization.yaml").exists()
        self.kubectl("apply", f"--{'kustomize' if is_kustomization else 'filename'}={path}")
        kinds = self.kubectl("get", "customresourcedefinitions", "--output=name").split()
        if kinds:
            self.kubectl("wait", "--for=condition=Established", "--timeout=30s", *kinds)

    def _prepare(self, programs: Mapping[str, Path]) -> None:
        """Makes the certificates, the credentials and the command lines of the servers."""
        self._workdir.mkdir(parents=True, exist_ok=True)
        if any(self._workdir.iterdir()):
            raise KubeError(f"{self._workdir} is not empty: a control plane needs a new folder")
        self.ca.parent.mkdir()
        certificates = make_certificates(self.ca.parent)
        self._port, etcd_port, peer_port = free_ports(3)
        self._credentials.write(self.url, self.ca)
        self._commands = [
            (programs["etcd"], etcd_arguments(self._workdir / "etcd", etcd_port, peer_port)),
            (programs["kube-apiserver"], apiserver_arguments(
                self._port, etcd_port, certificates, self._credentials.token_table)
                + self._audit_arguments())]
        if self._controllers:
            manager, scheduler = _CONTROLLERS
            self._commands += [
                (programs[manager], controller_manager_arguments(
                    self._credentials.kubeconfig_of(manager), self.ca, certificates)),
                (programs[scheduler],
                 scheduler_arguments(self._credentials.kubeconfig_of(scheduler)))]

    def _audit_arguments(self) -> list[str]:
        if not self._audited:
            return []
        policy = self._workdir / "audit-policy.json"
        policy.write_text(audit_policy(self._audited))
        return [f"--audit-policy-file={policy}", f"--audit-log-path={self.audit_log}"]

    def _start(self) -> None:
        first, others = self._commands[:2], self._commands[2:]
        for program, arguments in first:
            self._serve(program, arguments)
        self._wait_for("/readyz")
        for program, arguments in others:
            self._serve(program, arguments)
        if others:
            # A controller makes it. Before, the API server refuses pods.
            self._wait_for("/api/v1/namespaces/default/serviceaccounts/default")

    def _serve(self, program: Path, arguments: list[str]) -> None:
        log = self._workdir / f"{program.name}.log"
        self._servers.append(ServerProcess(program, arguments, log))

    def _wait_for(self, path: str) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not self._is_there(path):
            for server in self._servers:
                server.check_alive()
            if time.monotonic() > deadline:
                logs = "\n".join(f"{server.log}:\n{server.log_end()}" for server in self._servers)
                raise KubeError(f"{self.url} had no {path} after {_START_SECONDS:.0f} s\n{logs}")
            time.sleep(0.1)

    def _is_there(self, path: str) -> bool:
        try:
            return self.call("GET", path, self.admin_token.read_text()).status == 200
        except OSError:  # refused
            return False

    def _stop(self) -> None:
        while self._servers:
            self._servers.pop().stop()
