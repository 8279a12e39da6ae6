"""The requests of a program to the API server, from the API server's audit log."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from .samples import BenchError

Requests = Counter[str]
"""The number of requests by verb and resource: `patch logicalvolumes/status`."""


def parse(text: str, programs: Iterable[str]) -> dict[str, Requests]:
    """The requests of each of these programs, which the API server knows by their user agents.
    Without watches. Raises BenchError if the text is no audit log."""
    found: dict[str, Requests] = {program: Counter() for program in programs}
    for line in text.splitlines():
        try:
            event = json.loads(line)
            program, verb = event.get("userAgent", "").split("/")[0], event["verb"]
            what = event.get("objectRef", {})
            resource = "/".join(filter(None, (what.get("resource"), what.get("subresource"))))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BenchError(f"not an entry of the audit log: {line[:300]!r}") from error
        if program in found and verb != "watch":
            found[program][f"{verb} {resource or event.get('requestURI', '')}"] += 1
    return found
