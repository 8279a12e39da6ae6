"""Paths in the working tree."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CACHE = ROOT / ".cache"
"""Files that are kept between runs, except builds. The key of an entry covers its inputs."""

LOGS = CACHE / "logs"
SUITE = os.environ.get("LVMD_SUITE", "cases")
"""The suite that runs in this process. It is part of the names of logs, so that suites that run at
the same time have different logs."""
VM_PROCESSORS = int(os.environ.get("LVMD_VM_PROCESSORS", "2"))
"""The processors of a VM that `tests/e2e` or `tests/cluster` starts (`processors` of the part)."""
BUILD = ROOT / "build"
INSTALL_TREE = CACHE / "install"
"""A DESTDIR with the files that `meson install` installs on a host."""
