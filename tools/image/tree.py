"""The files of an image, and the layer made of them."""

from __future__ import annotations

import gzip
import io
import tarfile
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class File:
    content: bytes
    mode: int
    package: str | None = None
    """The Debian package of the file; None: it belongs to lvmd."""


class Tree:
    """Files by their path in the image, all owned by root."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}

    def add(self, path: str, file: File) -> None:
        if not path.startswith("/"):
            raise ValueError(f"{path} is not absolute")
        self.files[path] = file

    @property
    def size(self) -> int:
        return sum(len(file.content) for file in self.files.values())

    def tar(self, time: int) -> bytes:
        """A layer: folders and files in the order of their names, with `time` and without owner
        names. The same tree always gives the same bytes."""
        output = io.BytesIO()
        with tarfile.open(fileobj=output, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path in sorted({*self.files, *self._folders()}):
                entry = tarfile.TarInfo(path.lstrip("/"))
                entry.mtime = time
                file = self.files.get(path)
                if file is None:
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                    archive.addfile(entry)
                else:
                    entry.mode, entry.size = file.mode, len(file.content)
                    archive.addfile(entry, io.BytesIO(file.content))
        return output.getvalue()

    def _folders(self) -> set[str]:
        return {str(folder) for path in self.files for folder in PurePosixPath(path).parents
                if str(folder) != "/"}


def compressed(data: bytes) -> bytes:
    """Compressed with gzip, without a name or a time."""
    return gzip.compress(data, compresslevel=6, mtime=0)
