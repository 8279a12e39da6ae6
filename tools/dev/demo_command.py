"""`./dev demo` shows the life of a logical volume, from its manifest to its removal.
`./dev demo snapshot` backs up a volume, loses it and restores it. `./dev demo cluster` shows the life
of a claim in a Kubernetes cluster."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from . import build, packages, process, suites
from .errors import DevError
from .paths import ROOT
from .parts import Runner
from .progress import Progress
from .vm_command import write_through
from .vm_session import go_program, install_tree, installed_vm

_SCRIPT = Path("tools/demo/demo.sh")
_VOLUME, _SNAPSHOT, _CLUSTER = "volume", "snapshot", "cluster"
_SCRIPTS = {_VOLUME: _SCRIPT, _SNAPSHOT: _SCRIPT.with_name("snapshot.sh")}
_LIMIT_SECONDS = 15 * 60


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "demo",
        help="create a volume from a manifest, restore a lost volume from its backup, or use a claim "
        "in a Kubernetes cluster",
        description="volume: starts lvmd and the reconciler, creates, grows, lists, snapshots and "
        "deletes a volume, and prints LVM's view at each step. snapshot: mounts a volume, writes "
        "files, backs up a snapshot, destroys the volume, restores it and compares. cluster: starts a "
        "Kubernetes cluster whose node is the test VM, and shows a claim with a pod, growth, a "
        "snapshot, a clone and the deletion. Runs in the test VM, unless --here is given.",
    )
    parser.add_argument("story", choices=[*_SCRIPTS, _CLUSTER], nargs="?", default=_VOLUME,
                        help=f"the demo to run (default: {_VOLUME})")
    parser.add_argument("--here", action="store_true",
                        help="run on this host (needs root, device-mapper and lvm2), on a volume "
                        "group in a separate file")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    if arguments.here:
        if arguments.story != _VOLUME:
            raise DevError(f"demo {arguments.story} changes the host: it runs in the test VM only")
        return _here(progress)
    if arguments.story == _CLUSTER:
        return _cluster(progress)
    script = _SCRIPTS[arguments.story]
    with installed_vm(progress, share=ROOT / script.parent) as machine:
        done = machine.run(f"bash /mnt/{script.name}", timeout=_LIMIT_SECONDS,
                           on_output=write_through)
    if done.timed_out:
        raise DevError(f"the demo did not end within {_LIMIT_SECONDS // 60} minutes")
    return done.exit_code


def _cluster(progress: Progress) -> int:
    part = suites.CLUSTER.parts[0]
    Runner(progress).prepare(part)
    install_tree(progress)
    return subprocess.run(
        [sys.executable, "-m", "tools.demo.cluster"], cwd=ROOT, check=False,
        env=process.environment() | {"LVMD_SUITE": "demo-cluster"}).returncode


def _here(progress: Progress) -> int:
    for what, ok in (
        ("root", os.geteuid() == 0),
        ("device-mapper (/dev/mapper/control)", Path("/dev/mapper/control").exists()),
        ("lvm2 (the lvm program)", shutil.which("lvm") is not None),
    ):
        if not ok:
            raise DevError(f"demo --here needs {what}; without --here it runs in the test VM")
    packages.ensure("e2e")
    grpcurl = go_program("grpcurl", progress)
    environment = dict(os.environ, LVMD_DEMO_TREE=str(build.install_tree(progress)))
    environment["PATH"] = f"{grpcurl.parent}:{environment['PATH']}"
    return subprocess.run(
        ["bash", ROOT / _SCRIPT, "--here"], env=environment, cwd=ROOT, check=False
    ).returncode
