"""The suites of `./dev test`, in the order in which they run.

To add cases, add a file that a pattern below matches. To add a suite, add an entry to SUITES; a
suite that cannot run counts as failed, so add it with its first cases. Cases that take many minutes
are parts of LONG, which runs on demand.
"""

from __future__ import annotations

from dataclasses import dataclass

from .build import ADDRESS, FUZZ, GCC, THREAD, Variant
from .errors import DevError
from .paths import INSTALL_TREE, ROOT


@dataclass(frozen=True)
class Part:
    """One run of pytest. Parts of suites that are `side_by_side` run two at a time."""

    name: str
    files: tuple[str, ...] = ()
    """Patterns relative to the repository's root: Python files, or sources of fuzzers."""
    minutes: float = 5
    """The time limit of its cases, without compilation."""
    groups: tuple[str, ...] = ()
    """Package groups of `./dev setup`. With `build`, the project is first built and installed into
    a folder; with `vm`, so are the other programs of the VM."""
    without: tuple[str, ...] = ()
    """Files that the patterns match and that belong to another part."""
    needs: tuple[str, ...] = ()
    """Go programs that the cases use."""
    program: str = ""
    """Instead of files: a Catch2 program below the build directory. With the group `vm` it runs in
    a VM, where it is installed."""
    tag: str = ""
    """Runs only the program's test cases that have this tag; without a tag, those that are not
    hidden."""
    variant: Variant = GCC
    node: bool = False
    """Its VM is the node of a cluster (`tools/vm/cluster`)."""
    processors: int = 2
    """The processors of a VM that `tests/e2e` or `tests/cluster` starts. Other VMs have two. One takes
    less time (ADR 15)."""
    waits: bool = False
    """It may run beside two others: its cases mostly wait, or it is short."""

    def paths(self, listing: bool = False) -> list[str]:
        """The paths that pytest collects, relative to the repository's root. To list cases, the
        default build is sufficient. Raises DevError if there is no path."""
        if self.program:
            path = (GCC if listing else self.variant).directory / self.program
            if "vm" in self.groups and not listing:
                path = INSTALL_TREE / "usr/lib/lvmd/tests" / path.name
            return [str(path.relative_to(ROOT))]
        found = {str(path.relative_to(ROOT)) for pattern in self.files for path in ROOT.glob(pattern)}
        if not found - set(self.without):
            raise DevError(f"part {self.name}: there is no {' or '.join(self.files)}")
        return sorted(found - set(self.without))


@dataclass(frozen=True)
class Suite:
    name: str
    parts: tuple[Part, ...]
    side_by_side: bool = False

    @property
    def groups(self) -> set[str]:
        """All package groups that the suite needs."""
        groups = {group for part in self.parts for group in part.groups}
        built = {group for part in self.parts if "build" in part.groups
                 for group in part.variant.groups}
        return groups | built | {"base", "test"}


_BUILD, _VM, _E2E = ("build",), ("build", "vm"), ("build", "vm", "e2e")
# The servers that tests/system/stores starts.
_STORES = ("rest-server", "versitygw")
_KUBERNETES = ("etcd", "kube-apiserver", "kubectl")
_SIDECARS = ("csi-provisioner", "csi-resizer", "csi-snapshotter", "snapshot-controller")
_CLUSTER = (*_KUBERNETES, "kube-controller-manager", "kube-scheduler", "kubelet", *_SIDECARS)
_UNIT, _RPC, _SYSTEM, _EXTERNAL = (
    "tests/unit/unit-tests", "tests/rpc/rpc-tests", "tests/system/system-tests",
    "tests/system/external-tests")
# Their cases wait for time limits: disks and processes that hang, connections without a response.
_ISOLATION = ("tests/system/test_isolation.py",)
_CONNECTIONS = ("tests/e2e/test_connections.py",)
_SANITY = ("tests/cluster/test_sanity.py",)
# Files that take about half of the time of their suite; all other files are the second half.
_TRANSFERS = ("tests/system/test_transfers.py",)
_E2E_FIRST = tuple(f"tests/e2e/test_{name}.py" for name in (
    "api_answers", "bad_input", "capacity", "conditions", "container", "definitions", "document",
    "faults"))

CLUSTER = Suite("cluster", (
    Part("cluster", ("tests/cluster/test_*.py",), 30, _E2E, needs=_CLUSTER, node=True,
         without=("tests/cluster/test_mounts.py", *_SANITY), processors=1),
    Part("cluster-sanity", _SANITY, 20, _E2E, needs=(*_KUBERNETES, "csi-sanity"), processors=1),
), side_by_side=True)

SUITES = (
    Suite("lint", (Part("lint", ("tests/lint/test_*.py",), groups=("lint",)),)),
    Suite("unit", (
        Part("unit", program=_UNIT, groups=_BUILD),
        Part("unit-python", (
            "tests/system/*/test_*.py", "tests/e2e/*/test_*.py", "tests/differential/test_*.py",
            "tests/torture/test_*.py", "tools/*/test_*.py", "tests/cluster/test_mounts.py",
        ), without=(
            "tools/vm/test_machine.py", "tests/differential/test_differential.py")),
    )),
    Suite("lint-built", (Part("lint-built", ("tests/lint/built/test_*.py",), groups=_BUILD),)),
    Suite("rpc", (Part("rpc", program=_RPC, groups=_BUILD),)),
    Suite("system", (
        Part("system-vm", ("tools/vm/test_machine.py",), 10, ("vm",), waits=True),
        Part("system", program=_SYSTEM, minutes=60, groups=_VM),
        Part("system-external", program=_EXTERNAL, minutes=20, groups=_VM, waits=True),
        Part("system-transfers", _TRANSFERS, 50, _VM, needs=_STORES),
        Part("system-node", ("tests/system/test_*.py",), 25, _VM,
             without=(*_TRANSFERS, *_ISOLATION)),
        Part("system-isolation", _ISOLATION, 15, _VM, waits=True),
    ), side_by_side=True),
    Suite("e2e", (
        Part("e2e-first", _E2E_FIRST, 30, _E2E, needs=_KUBERNETES, processors=1),
        Part("e2e-second", ("tests/e2e/test_*.py",), 28, _E2E, needs=_KUBERNETES,
             without=(*_E2E_FIRST, *_CONNECTIONS), processors=1),
        Part("e2e-connections", _CONNECTIONS, 10, _E2E, needs=_KUBERNETES, waits=True,
             processors=1),
    ), side_by_side=True),
    CLUSTER,
)

LONG = Suite("long", (
    Part("long-node", ("tools/vm/long_*.py", "tests/system/long_*.py", "tests/torture/long_*.py"),
         150, _VM, needs=_STORES),
    Part("long-e2e", ("tests/e2e/long_*.py",), 30, _E2E, needs=_KUBERNETES),
    Part("long-cluster", tuple(
        f"tests/cluster/long_{name}.py" for name in ("kills", "many", "reboot")), 60, _E2E,
        needs=_CLUSTER, node=True),
    Part("long-attach", ("tests/cluster/long_attach.py",), 15, _E2E,
         needs=(*_CLUSTER, "csi-attacher"), node=True),
    Part("long-pods", ("tests/cluster/long_pods.py",), 60, _E2E,
         needs=(*_CLUSTER, "csi-attacher"), node=True),
    Part("long-swap", ("tests/cluster/long_swap.py",), 20, _E2E, node=True,
         needs=(*_CLUSTER, "hypertopolvm", "driver-registrar")),
    Part("long-sanity", ("tests/cluster/long_sanity.py",), 20, _E2E,
         needs=(*_KUBERNETES, "csi-sanity")),
    Part("long-sanity-topolvm", ("tests/cluster/long_sanity_topolvm.py",), 40, _E2E,
         needs=(*_KUBERNETES, "csi-sanity", "hypertopolvm")),
    Part("long-two-nodes",
         ("tests/cluster/long_two_nodes.py", "tests/cluster/long_lost_node.py"), 45, _E2E,
         needs=(*_CLUSTER, "rest-server"), node=True),
    Part("fuzz", ("tests/fuzz/fuzz_*.cpp",), 10, _BUILD, variant=FUZZ),
    Part("asan-unit", program=_UNIT, minutes=15, groups=_BUILD, variant=ADDRESS),
    Part("asan-rpc", program=_RPC, minutes=15, groups=_BUILD, variant=ADDRESS),
    Part("tsan-server", program=_UNIT, minutes=15, groups=_BUILD, tag="server", variant=THREAD),
    Part("tsan-reconciler", program=_UNIT, minutes=15, groups=_BUILD, tag="reconciler",
         variant=THREAD),
    Part("tsan-rpc", program=_RPC, minutes=20, groups=_BUILD, variant=THREAD),
    Part("long-system", program=_SYSTEM, minutes=45, groups=_VM, tag="long"),
    Part("long-differential", ("tests/differential/test_differential.py",), 25, _E2E,
         needs=("topolvm-lvmd",)),
    Part("long-external-storage", ("tests/cluster/long_external_storage.py",), 75, _E2E,
         needs=(*_CLUSTER, "storage-e2e", "agnhost", "ginkgo"), node=True),
))

ALL = (*SUITES, LONG)
