"""What a process of a container without any privilege has in common, in docs/reconciler.md and
docs/csi.md."""

from __future__ import annotations

import unittest

_USER = "65532"
_CAPABILITIES = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")


def assert_unprivileged(case: unittest.TestCase, program: str, status: str) -> None:
    """`status`: the text of /proc/PID/status. The process is `program`, of the user and the group of
    the manifests, without capabilities, with no_new_privs and the filter of system calls."""
    process = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    case.assertEqual(process["Name"], program)
    for kind in ("Uid", "Gid"):
        case.assertEqual(process[kind].split(), [_USER] * 4, f"{kind} of {program}")
    for capabilities in _CAPABILITIES:
        case.assertEqual(int(process[capabilities], 16), 0, f"{capabilities} of {program}")
    case.assertEqual((process["NoNewPrivs"], process["Seccomp"]), ("1", "2"), program)
