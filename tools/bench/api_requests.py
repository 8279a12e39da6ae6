"""The requests to the API server, from its metric apiserver_request_total."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from .samples import BenchError

Requests = Counter[str]
"""The number of requests by verb and resource: `PATCH logicalvolumes/status`."""

_WRITES = {"POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"}
# All resources that a reconciler requests. The API server itself lists Nodes. No program reads
# events here.
_ASKED = {"logicalvolumes": {"GET", "LIST"} | _WRITES, "nodes": {"GET"} | _WRITES,
          "events": _WRITES}
_SAMPLE = re.compile(r"^apiserver_request_total\{(.*)\} (\S+)$", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="([^"]*)"')


def parse(text: str) -> Requests:
    """The requests of all clients for the resources of the reconciler, in both API groups. Without
    watches, because the API server counts a watch when it ends. Raises BenchError if there is no
    request at all, which is impossible."""
    requests: Requests = Counter()
    samples = _SAMPLE.findall(text)
    if not samples:
        raise BenchError("the API server's metrics have no apiserver_request_total")
    for labels, value in samples:
        label = dict(_LABEL.findall(labels))
        verb, resource = label.get("verb", ""), label.get("resource", "")
        if verb in _ASKED.get(resource, ()):
            part = f"/{label['subresource']}" if label.get("subresource") else ""
            requests[f"{verb} {resource}{part}"] += int(float(value))
    return requests


def writes(requests: Mapping[str, int], resource: str = "") -> int:
    """The number of writes, for all resources or for one resource with its subresources."""
    return sum(count for name, count in requests.items()
               if name.split()[0] in _WRITES and name.split()[1].startswith(resource))
