"""An S3 server: versitygw, with a bucket in a folder. Without TLS."""

from __future__ import annotations

from .place import FOLDER
from .store import Store

_ACCESS_KEY = "AKIDOFTHESTORE"
_SECRET_KEY = "s3-secret-Vq7Zk2mPw9"
_BUCKET = "backups"


class S3Store(Store):
    name = "s3"
    port = 7070
    secrets = (_SECRET_KEY,)

    def start(self) -> None:
        environment = f"{FOLDER}/s3.environment"
        self._place.write(environment,
                          f"ROOT_ACCESS_KEY={_ACCESS_KEY}\nROOT_SECRET_KEY={_SECRET_KEY}\n")
        self._place.shell(f"mkdir -p {self.folder}/{_BUCKET}")
        self._start(["--port", f"127.0.0.1:{self.port}", "--quiet", "posix", self.folder],
                    environment)

    def location(self, name: str, port: int = port) -> str:
        """The repository `name`; with `port`, through a relay."""
        return f"s3:http://127.0.0.1:{port}/{_BUCKET}/{name}"

    @property
    def credentials(self) -> dict[str, str]:
        return {"access_key_id": _ACCESS_KEY, "secret_access_key": _SECRET_KEY}

    @property
    def environment(self) -> dict[str, str]:
        return {"AWS_ACCESS_KEY_ID": _ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": _SECRET_KEY}
