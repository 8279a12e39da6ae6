"""Where things lie in the working tree."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CACHE = ROOT / ".cache"
"""All that is kept between runs but is no build: each entry is keyed by what it was made from."""

LOGS = CACHE / "logs"
SUITE = os.environ.get("LVMD_SUITE", "cases")
"""The suite that runs in this process: logs that carry its name are no other's at the same time."""
BUILD = ROOT / "build"
INSTALL_TREE = CACHE / "install"
"""What `meson install` would put on a host, as a DESTDIR."""
