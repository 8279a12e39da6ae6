"""`./dev fresh`: does a newcomer's first command work on a fresh Debian?"""

from __future__ import annotations

import argparse
import os
import subprocess
import time
from pathlib import Path

from . import debian_root, host_network, packages
from .errors import DevError
from .paths import CACHE, ROOT
from .progress import Progress

_CLONE = "/root/lvmd"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "fresh",
        help="run ./dev CMD in a minimal Debian root that has nothing but git",
        description="Makes a minimal Debian root with nothing but git, clones the current commit "
        "into it (uncommitted changes are not included), runs ./dev CMD there and passes its exit "
        "code on. Only the host's network configuration is copied in. Needs root.",
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="CMD…",
                        help="a subcommand of ./dev with its arguments, e.g. demo")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        raise DevError("fresh: which command? For example: ./dev fresh demo")
    if os.geteuid() != 0:
        raise DevError("fresh mounts and changes root: run it as root (sudo ./dev fresh …)")
    packages.ensure("fresh")
    commit = _commit()
    tar = debian_root.archive(CACHE, progress)
    work = CACHE / "fresh" / f"run-{os.getpid()}"
    root = work / "root"
    try:
        with progress.step("unpacking the Debian root"):
            debian_root.unpack(tar, root)
            host_network.copy_into(root, debian_root.SUITE)
            _bundle(root / "root/lvmd.bundle")
        progress(f"commit {commit[:12]}, in the fresh root: ./dev {' '.join(command)}")
        begin = time.monotonic()
        code = _run_inside(root, commit, command)
        seconds = time.monotonic() - begin
        progress(f"fresh ./dev {' '.join(command)}: exit code {code} "
                 f"after {int(seconds // 60)} min {seconds % 60:.0f} s")
        return code
    finally:
        with progress.step("removing the Debian root"):
            if root.exists():
                debian_root.remove(root)
            if work.exists():
                work.rmdir()


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *words], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise DevError(f"git {' '.join(words)} failed: {done.stderr.strip()}")
    return done.stdout


def _commit() -> str:
    commit = _git("rev-parse", "HEAD").strip()
    changed = _git("status", "--porcelain").splitlines()
    if changed:
        print(f"fresh: note: {len(changed)} uncommitted change(s) are not included, "
              f"such as {changed[0][3:]}", flush=True)
    return commit


def _bundle(target: Path) -> None:
    _git("bundle", "create", "--quiet", str(target), "HEAD")


def _run_inside(root: Path, commit: str, command: list[str]) -> int:
    environment = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "TERM": os.environ.get("TERM", "dumb"),
        **host_network.variables(os.environ, root),
    }
    script = (
        "[ ! -d /usr/local/share/ca-certificates ] || update-ca-certificates >/dev/null 2>&1; "
        f"git -c advice.detachedHead=false clone --quiet /root/lvmd.bundle {_CLONE}; "
        f"cd {_CLONE}; git checkout --quiet --detach {commit}; exec ./dev \"$@\""
    )
    words = [
        "unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private",
        "/bin/sh", str(Path(__file__).with_name("enter_root.sh")), str(root),
        "/bin/sh", "-euc", script, "sh", *command,
    ]
    return subprocess.run(words, env=environment, check=False).returncode
