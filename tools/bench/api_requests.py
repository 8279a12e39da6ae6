"""What the API server says it was asked for, as its metric apiserver_request_total has it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from .samples import BenchError

Requests = Counter[str]
"""How often, by verb and resource: `PATCH logicalvolumes/status`."""

_WRITES = {"POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"}
# All that a reconciler asks for. The API server itself lists Nodes, and nobody reads events here.
_ASKED = {"logicalvolumes": {"GET", "LIST"} | _WRITES, "nodes": {"GET"} | _WRITES,
          "events": _WRITES}
_SAMPLE = re.compile(r"^apiserver_request_total\{(.*)\} (\S+)$", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="([^"]*)"')


def parse(text: str) -> Requests:
    """Of all clients together, of what the reconciler asks for, in both API groups. Watches are not
    among them: the API server counts one when it ends. Raises BenchError when there is no request
    at all, which can't be."""
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
    """How many of them write, of all or of one resource with its parts."""
    return sum(count for name, count in requests.items()
               if name.split()[0] in _WRITES and name.split()[1].startswith(resource))
