"""restic's own REST server, with a user, over TLS with a certificate of a CA that nobody else trusts."""

from __future__ import annotations

import base64
import hashlib
import tempfile
from pathlib import Path
from types import TracebackType

from tests.support.kube.certificates import make_certificates

from .place import FOLDER, Place, start_unit, stop_unit

_USER = "rita"
_PASSWORD = "rest-secret-Xw4Ty8nLd3"


class RestStore:
    """From `__enter__` to `__exit__`; what was stored stays."""

    unit = "store-rest"
    port = 8000
    secrets = (_PASSWORD,)
    folder = f"{FOLDER}/rest"

    def __init__(self, place: Place, program: str, largest: int = 0) -> None:
        """`program`: the path of rest-server at the place; `largest`: how many bytes it takes (0:
        as many as there is room for)."""
        self._place = place
        self._program = program
        self._largest = largest
        with tempfile.TemporaryDirectory() as folder:
            made = make_certificates(Path(folder))
            self.ca = made.ca.read_text()
            self._files = {"ca.crt": self.ca, "server.crt": made.server.read_text(),
                           "server.key": made.server_key.read_text()}

    def __enter__(self) -> RestStore:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        digest = base64.b64encode(hashlib.sha1(_PASSWORD.encode()).digest()).decode()
        files = self._files | {"htpasswd": f"{_USER}:{{SHA}}{digest}\n"}
        for name, content in files.items():
            self._place.write(f"{FOLDER}/{name}", content)
        self._place.shell(f"mkdir -p {self.folder}")
        limit = ["--max-size", str(self._largest)] if self._largest else []
        start_unit(self._place, self.unit,
                   [self._program, "--path", self.folder, "--listen", f"127.0.0.1:{self.port}",
                    "--htpasswd-file", f"{FOLDER}/htpasswd", "--tls", "--tls-cert",
                    f"{FOLDER}/server.crt", "--tls-key", f"{FOLDER}/server.key", *limit],
                   self.port)

    def stop(self) -> None:
        stop_unit(self._place, self.unit)

    def location(self, name: str, port: int = port) -> str:
        """The repository `name`, without the user; with `port` by way of a relay."""
        return f"rest:https://127.0.0.1:{port}/{name}/"

    @property
    def credentials(self) -> dict[str, str]:
        """As TransferService takes them, without the repository's password."""
        return {"rest_user": _USER, "rest_password": _PASSWORD}

    @property
    def repository(self) -> dict[str, str]:
        """What belongs to a Repository besides its location: bytes are base64 in JSON."""
        return {"ca_certificates": base64.b64encode(self.ca.encode()).decode()}

    @property
    def environment(self) -> dict[str, str]:
        """The same, for restic by hand."""
        return {"RESTIC_REST_USERNAME": _USER, "RESTIC_REST_PASSWORD": _PASSWORD,
                "RESTIC_CACERT": f"{FOLDER}/ca.crt"}
