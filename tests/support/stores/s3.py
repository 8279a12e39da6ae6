"""An S3 server: versitygw, with a bucket in a folder. Without TLS."""

from __future__ import annotations

from types import TracebackType

from .place import FOLDER, Place, start_unit, stop_unit

_ACCESS_KEY = "AKIDOFTHESTORE"
_SECRET_KEY = "s3-secret-Vq7Zk2mPw9"
_BUCKET = "backups"


class S3Store:
    """From `__enter__` to `__exit__`; what was stored stays."""

    unit = "store-s3"
    port = 7070
    secrets = (_SECRET_KEY,)
    folder = f"{FOLDER}/s3"

    def __init__(self, place: Place, program: str) -> None:
        """`program`: the path of versitygw at the place."""
        self._place = place
        self._program = program

    def __enter__(self) -> S3Store:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        environment = f"{FOLDER}/s3.environment"
        self._place.write(environment,
                          f"ROOT_ACCESS_KEY={_ACCESS_KEY}\nROOT_SECRET_KEY={_SECRET_KEY}\n")
        self._place.shell(f"mkdir -p {self.folder}/{_BUCKET}")
        start_unit(self._place, self.unit,
                   [self._program, "--port", f"127.0.0.1:{self.port}", "--quiet", "posix",
                    self.folder], self.port, environment)

    def stop(self) -> None:
        stop_unit(self._place, self.unit)

    def location(self, name: str, port: int = port) -> str:
        """The repository `name`; with `port` by way of a relay."""
        return f"s3:http://127.0.0.1:{port}/{_BUCKET}/{name}"

    @property
    def credentials(self) -> dict[str, str]:
        """As TransferService takes them, without the repository's password."""
        return {"access_key_id": _ACCESS_KEY, "secret_access_key": _SECRET_KEY}

    @property
    def repository(self) -> dict[str, str]:
        """What belongs to a Repository besides its location."""
        return {}

    @property
    def environment(self) -> dict[str, str]:
        """The same, for restic by hand."""
        return {"AWS_ACCESS_KEY_ID": _ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": _SECRET_KEY}
