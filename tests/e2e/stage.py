"""The test bed of the cases: a node in the VM and a Kubernetes API on the host."""

from __future__ import annotations

import functools
import json
import shutil
from contextlib import ExitStack
from typing import Any

from tools.dev import paths
from tests.e2e.kube import ControlPlane
from tools.vm import Machine, ensure_snapshot

from . import before_lvmd
from .daemon_pod import PACKAGING, DaemonPod
from .logical_volume import GROUP
from .reconciler_unit import ReconcilerUnit
from .stages import kept, save_journal, say

NODE = "vm"
VOLUME_GROUP = "vg_e2e"
_PREPARATION = f"""
set -e
vgcreate -q {VOLUME_GROUP} /dev/disk/by-id/virtio-data0 /dev/disk/by-id/virtio-data1
lvcreate -q -y --type thin-pool -L 2G -n pool {VOLUME_GROUP}
systemctl enable --now lvmd.socket lvmd.service
"""
_LVMD_YAML = f"""socket-name: /run/topolvm/lvmd.sock
device-classes:
  - {{name: thick, volume-group: {VOLUME_GROUP}, default: true, spare-gb: 0}}
  - name: thin
    volume-group: {VOLUME_GROUP}
    type: thin
    spare-gb: 0
    thin-pool: {{name: pool, overprovision-ratio: 5.0}}
lvcreate-option-classes:
  - {{name: two-stripes, options: ["--type=striped", "--stripes=2"]}}
"""


class Stage:
    """`plane`: the Kubernetes API, with lvmd's manifests applied over TopoLVM's. `machine`: the
    node, with lvmd and the `reconciler` running. `token`: the token that the reconciler's pod would
    have.

    `close` ends everything.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        try:
            self._set_up()
        except BaseException:
            self._stack.close()
            raise

    def _set_up(self) -> None:
        workdir = paths.LOGS / f"{paths.SUITE}.kubernetes"
        shutil.rmtree(workdir, ignore_errors=True)
        self.plane = self._stack.enter_context(ControlPlane(paths.CACHE / "go", workdir, say))
        before_lvmd.prepare(self.plane, groups=(GROUP,))
        self.plane.apply(PACKAGING)
        self.token = DaemonPod(self.plane, NODE).token().encode()
        snapshot = ensure_snapshot(paths.CACHE / "vm")
        self.machine = self._stack.enter_context(
            Machine(snapshot, build_tree=paths.INSTALL_TREE, progress=say,
                    processors=paths.VM_PROCESSORS))
        self._stack.callback(save_journal, self.machine)
        self.machine.write_file("/etc/topolvm/lvmd.yaml", _LVMD_YAML.encode())
        self.machine.run(_PREPARATION, check=True)
        self.reconciler = ReconcilerUnit(self.machine)
        self.reconciler.install(self.plane.url_for_guest, self.plane.ca, self.token, NODE)
        self.reconciler.start()

    def volumes(self) -> dict[str, dict[str, Any]]:
        """LVM's own report of the volume group's volumes, by name. Sizes are in bytes."""
        done = self.machine.run(
            "lvs --reportformat json --units b --nosuffix "
            f"-o lv_name,lv_size,pool_lv,stripes {VOLUME_GROUP} 2>/dev/null", check=True)
        rows = json.loads(done.output)["report"][0]["lv"]
        return {row["lv_name"]: {**row, "lv_size": int(row["lv_size"])} for row in rows}

    def describe(self) -> str:
        """For a failure: LVM's state, and the end of both logs."""
        lvm = self.machine.run(f"lvs -a {VOLUME_GROUP}").output
        lvmd = self.machine.run("journalctl -b --no-pager --unit=lvmd.service --lines=40").output
        return (f"── LVM's volumes\n{lvm}\n── lvmd-reconciler\n{self.reconciler.log(60)}\n"
                f"── lvmd\n{lvmd}")

    def close(self) -> None:
        self._stack.close()


@functools.cache
def shared() -> Stage:
    """The only stage of this process. The first call sets it up, and the end of the process closes
    it.

    Call it on the main thread: the VM ends with the thread that started it.
    """
    return kept(Stage)
