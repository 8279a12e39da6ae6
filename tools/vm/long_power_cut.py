"""A power cut of the VM and the boot after it, which tests/system/long_power_cuts.py uses."""

import unittest

from . import Machine, ensure_snapshot
from .test_machine import CACHE


class PowerCut(unittest.TestCase):
    def test_what_it_leaves(self) -> None:
        with Machine(ensure_snapshot(CACHE)) as machine:
            machine.run("echo kept >/root/kept; sync; touch /run/lost", check=True)
            machine.power_off()
            machine.power_on()
            left = machine.run("cat /root/kept; ls /run/lost; cut -d. -f1 /proc/uptime").output
        self.assertRegex(left, r"^kept\nls: cannot access '/run/lost'.*\n\d+\n$")
