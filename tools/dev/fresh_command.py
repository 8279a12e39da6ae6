"""`./dev fresh` runs a command of `./dev` on a new Debian, where nothing is installed."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from tools.vm import host_apt

from . import packages, process
from .errors import DevError
from .paths import CACHE, ROOT
from .progress import Progress

_SUITE = "bookworm"
_INCLUDE = "ca-certificates,git"
_CLONE = "/root/lvmd"
# The environment variables and the host's files that configure network access.
_VARIABLE = re.compile(
    r"(?i:(https?|ftp|all|no)_proxy)|PIP_(?!TARGET|PREFIX|USER)\w+"
    r"|GO(PROXY|SUMDB|NOSUMDB|NOPROXY|PRIVATE|INSECURE|FLAGS|TOOLCHAIN|AUTH)"
    r"|(SSL_CERT|CURL_CA|REQUESTS_CA|GIT_SSL|NODE_EXTRA_CA)\w*")
_FILES = (
    "etc/resolv.conf", "etc/hosts", "etc/pip.conf", "etc/apt/auth.conf", "etc/apt/auth.conf.d",
    "usr/local/share/ca-certificates", "etc/ssl/certs/ca-certificates.crt")
_HOME_FILES = (".config/go/env", ".config/pip/pip.conf")
# Separate mount and PID namespaces: when the command ends, its mounts and processes end too.
_ENTER = """
mount -t proc proc "$0/proc"
mount --rbind /sys "$0/sys"
mount --rbind /dev "$0/dev"
mount -t tmpfs -o mode=755 tmpfs "$0/run"
exec chroot "$0" "$@"
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "fresh",
        help="run ./dev CMD in a minimal Debian root with only git",
        description="Makes a minimal Debian root with only git, clones the current commit "
        "into it (without uncommitted changes), runs ./dev CMD there and ends with its exit code. "
        "Only the host's network configuration is copied into it. Needs root.",
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="CMD…",
                        help="a subcommand of ./dev with its arguments, e.g. demo")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        raise DevError("fresh needs a command, for example: ./dev fresh demo")
    if os.geteuid() != 0:
        raise DevError("fresh mounts and changes root: run it as root (sudo ./dev fresh …)")
    packages.ensure("fresh")
    commit = _commit()
    archive = _archive(progress)
    work = CACHE / "fresh" / f"run-{os.getpid()}"
    root = work / "root"
    try:
        with progress.step("unpacking the Debian root"):
            root.mkdir(parents=True)
            subprocess.run(["tar", "-xpf", archive, "-C", root, "--numeric-owner"], check=True)
            _copy_network(root)
            _git("bundle", "create", "--quiet", str(root / "root/lvmd.bundle"), "HEAD")
        progress(f"commit {commit[:12]}, in the fresh root: ./dev {' '.join(command)}")
        begin = time.monotonic()
        code = _run_inside(root, commit, command)
        seconds = time.monotonic() - begin
        progress(f"fresh ./dev {' '.join(command)}: exit code {code} "
                 f"after {int(seconds // 60)} min {seconds % 60:.0f} s")
        return code
    finally:
        with progress.step("removing the Debian root"):
            _remove(work)


def variables(environ: Mapping[str, str], root: Path) -> dict[str, str]:
    """The environment variables that configure network access, without those that contain an
    absolute path which does not exist in `root`."""
    return {name: value for name, value in environ.items() if _VARIABLE.fullmatch(name)
            and (not value.startswith("/") or (root / value.lstrip("/")).exists())}


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *words], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise DevError(f"git {' '.join(words)} failed: {done.stderr.strip()}")
    return done.stdout


def _commit() -> str:
    changed = _git("status", "--porcelain").splitlines()
    if changed:
        print(f"fresh: note: {len(changed)} uncommitted change(s) are not included, "
              f"such as {changed[0][3:]}", flush=True)
    return _git("rev-parse", "HEAD").strip()


def _archive(progress: Progress) -> Path:
    """A tar archive of the Debian root, cached for this mmdebstrap and these packages."""
    version = subprocess.run(["mmdebstrap", "--version"], check=True, capture_output=True).stdout
    sources, settings = host_apt.sources(_SUITE), host_apt.settings()
    key = hashlib.sha256(version + f"{_SUITE}{_INCLUDE}{sources}".encode()).hexdigest()[:12]
    path = CACHE / "fresh" / f"{_SUITE}-{key}.tar"
    if path.exists():
        return path
    unfinished = CACHE / "fresh" / f"unfinished-{os.getpid()}"
    unfinished.mkdir(parents=True)
    try:
        made, conf, listed = (unfinished / name for name in ("root.tar", "apt.conf", "sources.list"))
        conf.write_text(settings, encoding="utf-8")
        listed.write_text(sources, encoding="utf-8")
        process.logged(
            "making a minimal Debian root",
            ["mmdebstrap", "--variant=apt", f"--include={_INCLUDE}", f"--aptopt={conf}", _SUITE, made,
             *([listed] if sources else [])], progress, log_name="fresh-root")
        made.rename(path)
    finally:
        shutil.rmtree(unfinished)
    return path


def _copy_network(root: Path) -> None:
    if sources := host_apt.sources(_SUITE):
        (root / "etc/apt/sources.list").write_text(sources, encoding="utf-8")
    (root / "etc/apt/apt.conf.d/90host").write_text(host_apt.settings(), encoding="utf-8")
    copies = [(Path("/") / name, root / name) for name in _FILES]
    copies += [(Path.home() / name, root / "root" / name) for name in _HOME_FILES]
    for source, target in copies:
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_symlink():
                target.unlink()
            shutil.copyfile(source, target)


def _run_inside(root: Path, commit: str, command: list[str]) -> int:
    environment = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
        "LANG": "C.UTF-8", "TERM": os.environ.get("TERM", "dumb"), **variables(os.environ, root)}
    script = (
        "[ ! -d /usr/local/share/ca-certificates ] || update-ca-certificates >/dev/null 2>&1; "
        f"git -c advice.detachedHead=false clone --quiet /root/lvmd.bundle {_CLONE}; "
        f"cd {_CLONE}; git checkout --quiet --detach {commit}; exec ./dev \"$@\"")
    words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private",
             "/bin/sh", "-euc", _ENTER, str(root), "/bin/sh", "-euc", script, "sh", *command]
    return subprocess.run(words, env=environment, check=False).returncode


def _remove(work: Path) -> None:
    """Deletes the folder. Refuses while something is mounted in it."""
    mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
    if any(line.split()[4].startswith(f"{work}/") for line in mounts.splitlines()):
        raise DevError(f"something is still mounted below {work}: unmount it, then delete it")
    subprocess.run(["rm", "-rf", "--one-file-system", work], check=True)
