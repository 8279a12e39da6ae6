"""restic's own REST server, with a user, with TLS and a certificate of a private CA."""

from __future__ import annotations

import base64
import hashlib
import tempfile
from pathlib import Path

from tests.e2e.kube.certificates import make_certificates

from .place import FOLDER, Place
from .store import Store

_USER = "rita"
_PASSWORD = "rest-secret-Xw4Ty8nLd3"


class RestStore(Store):
    name = "rest"
    port = 8000
    secrets = (_PASSWORD,)

    def __init__(self, place: Place, program: str, largest: int = 0) -> None:
        """`largest`: the number of bytes that it accepts (0: no limit)."""
        super().__init__(place, program)
        self._largest = largest
        with tempfile.TemporaryDirectory() as folder:
            made = make_certificates(Path(folder))
            self.ca = made.ca.read_text()
            self._files = {"ca.crt": self.ca, "server.crt": made.server.read_text(),
                           "server.key": made.server_key.read_text()}

    def start(self) -> None:
        digest = base64.b64encode(hashlib.sha1(_PASSWORD.encode()).digest()).decode()
        files = self._files | {"htpasswd": f"{_USER}:{{SHA}}{digest}\n"}
        for name, content in files.items():
            self._place.write(f"{FOLDER}/{name}", content)
        self._place.shell(f"mkdir -p {self.folder}")
        limit = ["--max-size", str(self._largest)] if self._largest else []
        self._start(["--path", self.folder, "--listen", f"127.0.0.1:{self.port}",
                     "--htpasswd-file", f"{FOLDER}/htpasswd", "--tls", "--tls-cert",
                     f"{FOLDER}/server.crt", "--tls-key", f"{FOLDER}/server.key", *limit])

    def location(self, name: str, port: int = port) -> str:
        """The repository `name`, without the user; with `port`, through a relay."""
        return f"rest:https://127.0.0.1:{port}/{name}/"

    @property
    def credentials(self) -> dict[str, str]:
        return {"rest_user": _USER, "rest_password": _PASSWORD}

    @property
    def repository(self) -> dict[str, str]:
        return {"ca_certificates": base64.b64encode(self.ca.encode()).decode()}

    @property
    def environment(self) -> dict[str, str]:
        return {"RESTIC_REST_USERNAME": _USER, "RESTIC_REST_PASSWORD": _PASSWORD,
                "RESTIC_CACERT": f"{FOLDER}/ca.crt"}
