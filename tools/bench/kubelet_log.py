"""When kubelet has mounted a volume, from its log."""

from __future__ import annotations

import re

COMMAND = ("journalctl --sync && journalctl --boot --no-pager --quiet --output=short-unix "
           "--unit=kubelet.service | grep -e 'MountVolume.[A-Za-z]* succeeded'")
"""Prints the input of `parse`."""
STAGED, PUBLISHED = "staged", "published"

_LINE = re.compile(
    r'^(\d+\.\d+) .*MountVolume\.(MountDevice|SetUp) succeeded for volume \\*"([^"\\]+)',
    re.MULTILINE)
_NAMES = {"MountDevice": STAGED, "SetUp": PUBLISHED}


def parse(text: str) -> dict[tuple[str, str], float]:
    """The time of each step of each PersistentVolume, in seconds of the VM's clock. Of a driver
    without staging, kubelet logs the same lines."""
    found: dict[tuple[str, str], float] = {}
    for when, step, volume in _LINE.findall(text):
        found.setdefault((volume, _NAMES[step]), float(when))
    return found
