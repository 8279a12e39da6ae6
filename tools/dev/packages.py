"""Debian packages: the lists and their installation are in `./dev` itself."""

import subprocess

from .errors import DevError
from .paths import ROOT


def ensure(*groups: str) -> None:
    """Installs what is missing of the named groups of `./dev setup`; quick when nothing is."""
    words = [str(ROOT / "dev"), "setup"]
    for group in groups:
        words += ["--group", group]
    if subprocess.run(words, check=False).returncode != 0:
        raise DevError("the packages above could not be installed")
