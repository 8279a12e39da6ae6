"""One HTTPS request to the API server, without the additional requests of kubectl."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_SECONDS = 30.0


@dataclass(frozen=True)
class Answer:
    status: int
    body: dict[str, Any]
    """The object, or the Status with the reason why there is none."""

    @property
    def message(self) -> str:
        return str(self.body.get("message", ""))


def call(method: str, url: str, ca: Path, token: str, body: dict[str, Any] | None = None) -> Answer:
    """Any response of the server, including errors. A PATCH is a JSON merge patch. Raises OSError
    if there is no response."""
    kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
    request = urllib.request.Request(
        url, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": kind})
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),  # the host's proxy settings do not apply to its loopback
        urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=str(ca))))
    try:
        with opener.open(request, timeout=_SECONDS) as answer:
            return Answer(answer.status, _parsed(answer.read()))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, _parsed(error.read()))


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        return json.loads(text)
    except ValueError:
        return {"message": text.decode(errors="replace")}
