"""The suites of `./dev test`, in the order in which they run.

To add one: an entry in SUITES. A suite that cannot run counts as failed, so add it together with
its first cases. What takes many minutes is a part of LONG, which runs on demand.
"""

from __future__ import annotations

from pathlib import Path

from .build import ADDRESS, THREAD
from .catch2_suite import CatchSuite
from .fuzz_suite import FuzzSuite
from .joined_suite import JoinedSuite
from .python_suite import PythonSuite
from .suite import Suite
from .vm_suite import VmCatchSuite


# The servers that tests/support/stores starts.
_STORES = ("rest-server", "versitygw")
_UNIT, _RPC = Path("tests/unit/unit-tests"), Path("tests/rpc/rpc-tests")
# Disks and processes that hang, and connections that are silent: their cases wait for limits.
_ISOLATION = ("tests/system/test_isolation.py",)
_CONNECTIONS = ("tests/e2e/test_connections.py",)
_KUBERNETES = ("etcd", "kube-apiserver", "kubectl")

SUITES: tuple[Suite, ...] = (
    PythonSuite("lint", "tests/lint/test_*.py", groups=("build", "lint"), minutes=5),
    JoinedSuite(
        "unit",
        CatchSuite("unit", _UNIT, minutes=5),
        PythonSuite("unit-python", "tests/support/**/test_*.py", "tools/dev/test_*.py",
                    "tools/image/test_*.py", "tools/vm/test_agent.py",
                    "tools/vm/test_entry.py", "tools/bench/test_*.py",
                    "tools/demo/test_*.py", "tests/differential/test_compare.py",
                    "tests/differential/test_play.py", "tests/torture/test_model.py",
                    "tests/torture/test_write_log.py", minutes=5),
    ),
    CatchSuite("rpc", _RPC, minutes=5),
    JoinedSuite(
        "system",
        PythonSuite("system-vm", "tools/vm/test_machine.py", groups=("vm",), minutes=10),
        VmCatchSuite("system", "/usr/lib/lvmd/tests/system-tests", minutes=60),
        VmCatchSuite("system-external", "/usr/lib/lvmd/tests/external-tests", minutes=20),
        # In two, as together they outlast the others; by a letter, so that no file is in none.
        PythonSuite("system-transfers", "tests/system/test_t*.py", groups=("build", "vm"),
                    minutes=50, needs=_STORES),
        PythonSuite("system-node", "tests/system/test_[!t]*.py", groups=("build", "vm"), minutes=25,
                    without=_ISOLATION),
        PythonSuite("system-isolation", *_ISOLATION, groups=("build", "vm"), minutes=15),
        side_by_side=True,
        waiting=("system-isolation",),
    ),
    JoinedSuite(
        "e2e",
        PythonSuite("e2e-a-f", "tests/e2e/test_[a-f]*.py", groups=("build", "vm", "e2e"),
                    minutes=30, needs=_KUBERNETES, without=_CONNECTIONS),
        PythonSuite("e2e-g-z", "tests/e2e/test_[!a-f]*.py", groups=("build", "vm", "e2e"),
                    minutes=28, needs=_KUBERNETES),
        PythonSuite("e2e-connections", *_CONNECTIONS, groups=("build", "vm", "e2e"), minutes=10,
                    needs=_KUBERNETES),
        side_by_side=True,
        waiting=("e2e-connections",),
    ),
)


LONG: Suite = JoinedSuite(
    "long",
    PythonSuite("long-node", "tools/vm/long_*.py", "tests/system/long_*.py",
                "tests/torture/long_*.py", groups=("build", "vm"), minutes=150, needs=_STORES),
    PythonSuite("long-e2e", "tests/e2e/long_*.py", groups=("build", "vm", "e2e"), minutes=30,
                needs=_KUBERNETES),
    FuzzSuite("fuzz", seconds=20),
    CatchSuite("asan-unit", _UNIT, minutes=15, variant=ADDRESS),
    CatchSuite("asan-rpc", _RPC, minutes=15, variant=ADDRESS),
    CatchSuite("tsan-server", _UNIT, minutes=15, tag="server", variant=THREAD),
    CatchSuite("tsan-reconciler", _UNIT, minutes=15, tag="reconciler", variant=THREAD),
    CatchSuite("tsan-rpc", _RPC, minutes=20, variant=THREAD),
    VmCatchSuite("long-system", "/usr/lib/lvmd/tests/system-tests", minutes=45, tag="long"),
    PythonSuite("long-differential", "tests/differential/test_differential.py",
                groups=("build", "vm", "e2e"), minutes=25, needs=("topolvm-lvmd",)),
)

ALL: tuple[Suite, ...] = (*SUITES, LONG)


def named(name: str) -> Suite | None:
    return next((suite for suite in ALL if suite.name == name), None)
