"""Requests to the API server over a persistent connection. kubectl would take longer than the
measured times."""

from __future__ import annotations

import http.client
import json
import ssl
import time
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.kube import ControlPlane

from . import api_requests
from .samples import BenchError

GROUP_VERSION = "topolvm.io/v1"
VOLUMES = f"/apis/{GROUP_VERSION}/logicalvolumes"
CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims"
PODS = "/api/v1/namespaces/default/pods"

_SECONDS = 60.0
# After 90 s the API server closes an idle connection, possibly while a request is being sent.
_IDLE_SECONDS = 30.0


def connect(plane: ControlPlane, timeout: float | None) -> http.client.HTTPSConnection:
    """The first request opens the connection. Ignores the host's proxy settings."""
    address = urlsplit(plane.url)
    return http.client.HTTPSConnection(
        address.hostname or "", address.port, timeout=timeout,
        context=ssl.create_default_context(cafile=str(plane.ca)))


def headers(plane: ControlPlane) -> dict[str, str]:
    """Uses the account with all rights."""
    return {"Authorization": f"Bearer {plane.admin_token.read_text()}",
            "Content-Type": "application/json"}


class ApiConnection:
    """Sends one request at a time. Raises BenchError if it is refused or not answered."""

    def __init__(self, plane: ControlPlane) -> None:
        self._http = connect(plane, _SECONDS)
        self._headers = headers(plane)
        self._used = 0.0

    def create_volume(self, name: str, node: str, size: str, device_class: str) -> str:
        """Creates a LogicalVolume. Returns its UID, which is also the name of its LVM volume."""
        return self.create(VOLUMES, {
            "apiVersion": GROUP_VERSION, "kind": "LogicalVolume", "metadata": {"name": name},
            "spec": {"name": name, "nodeName": node, "size": size, "deviceClass": device_class}})

    def delete_volume(self, name: str) -> None:
        """Requests its deletion. It is deleted when its finalizer is removed."""
        self.delete(VOLUMES, name)

    def create(self, path: str, manifest: dict[str, Any]) -> str:
        """Creates an object in the list at `path`. Returns its UID."""
        return str(json.loads(self._send("POST", path, manifest))["metadata"]["uid"])

    def delete(self, path: str, name: str) -> None:
        """Requests the deletion of an object in the list at `path`."""
        self._send("DELETE", f"{path}/{name}")

    def requests(self) -> api_requests.Requests:
        """The number of requests to the API server until now."""
        return api_requests.parse(self._send("GET", "/metrics").decode())

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> ApiConnection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        if time.monotonic() - self._used > _IDLE_SECONDS:
            self._http.close()
        try:
            self._http.request(method, path, None if body is None else json.dumps(body),
                               self._headers)
            answer = self._http.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise BenchError(f"{method} {path}: no answer of the API server: {error!r}") from error
        self._used = time.monotonic()
        if not 200 <= answer.status < 300:
            raise BenchError(f"{method} {path}: the API server answered {answer.status}: "
                             f"{content[:500].decode(errors='replace')}")
        return content
