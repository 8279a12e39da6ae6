"""Kinds of the test VM."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Variant:
    """What a test VM has beside the plain one. `Variant()` is the plain one."""

    name: str = ""
    packages: tuple[str, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    """By their path in the VM, files of this host. They keep their mode."""
    preparation: str = ""
    """Commands for bash that run after the boot, with the files there, and before the state is
    saved."""

    def kind(self, what: str) -> str:
        """The kind of its entries in the cache."""
        return f"{self.name}-{what}" if self.name else what

    def parts(self) -> list[str | Path]:
        """What its snapshot's key depends on. Its packages are part of the image."""
        listed = [part for target, source in sorted(self.files.items())
                  for part in (target, oct(source.stat().st_mode), source)]
        return [self.preparation, *listed]

    def copy_files(self, tree: Path) -> None:
        """Copies the files into the directory `tree`, which gets the layout of `/`."""
        tree.mkdir()
        for target, source in self.files.items():
            place = tree / target.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, place)
