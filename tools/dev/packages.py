"""Debian packages. `./dev` itself has their lists and installs them."""

import subprocess

from .errors import DevError
from .paths import ROOT


def ensure(*groups: str) -> None:
    """Installs the missing packages of these groups of `./dev setup`. Fast when none is missing."""
    words = [str(ROOT / "dev"), "setup"]
    for group in groups:
        words += ["--group", group]
    if subprocess.run(words, check=False).returncode != 0:
        raise DevError("the packages above could not be installed")
