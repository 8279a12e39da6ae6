"""Which mounts are those of a volume. These cases need no VM."""

from __future__ import annotations

import unittest

from .mounts import Device, Mount, mounts_of

_DEVICE = Device("253:3", "dm-3")
_TEXT = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
24 22 0:5 / /dev rw,nosuid shared:2 - devtmpfs udev rw,size=1494656k
90 22 253:3 / /var/lib/kubelet/a/globalmount rw shared:50 - ext4 /dev/mapper/vg_c-a rw
91 22 253:3 / /var/lib/kubelet/b/mount ro shared:50 - ext4 /dev/mapper/vg_c-a rw
92 22 0:5 /dm-3 /var/lib/kubelet/c rw,nosuid shared:2 - devtmpfs udev rw,size=1494656k
93 22 0:5 /dm-30 /var/lib/kubelet/d rw,nosuid shared:2 - devtmpfs udev rw,size=1494656k
94 22 0:40 /dm-3 /tmp/e rw - tmpfs tmpfs rw
95 22 253:30 / /srv rw - xfs /dev/mapper/vg_c-b rw
"""


class Mounts(unittest.TestCase):
    def test_file_system_and_node_of_the_device_and_no_other(self) -> None:
        self.assertEqual(mounts_of(_DEVICE, _TEXT), [
            Mount(90, "/var/lib/kubelet/a/globalmount"), Mount(91, "/var/lib/kubelet/b/mount"),
            Mount(92, "/var/lib/kubelet/c")])

    def test_none(self) -> None:
        self.assertEqual(mounts_of(Device("253:4", "dm-4"), _TEXT), [])
