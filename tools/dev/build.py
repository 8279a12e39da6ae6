"""Builds with Meson and Ninja, and makes the tree that is installed on a host."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import packages, process
from .paths import BUILD, CACHE, INSTALL_TREE, ROOT
from .progress import Progress

_NINJA_STATUS = re.compile(r"^\[(\d+)/(\d+)\]")


@dataclass(frozen=True)
class Variant:
    """One compiler with its build directory below `build/`."""

    name: str
    compiler: str
    options: tuple[str, ...]
    groups: tuple[str, ...]
    targets: tuple[str, ...] = ()
    """The targets to build. Empty: all targets."""
    environment: tuple[tuple[str, str], ...] = ()
    """The environment of its programs."""

    @property
    def directory(self) -> Path:
        return BUILD / self.name


# These options halve the time of a build in a clean clone: eight files of a library are compiled
# together, tests use a precompiled header, and debug information contains only line numbers. The
# compiler collects no garbage below 1 GiB. `meson setup` by hand sets none of them.
GCC = Variant(
    "gcc", "g++",
    ("-Dwerror=true", "-Dunity=on", "-Dunity_size=8",
     "-Dcpp_args=-g1 -fpch-preprocess --param=ggc-min-heapsize=1048576"),
    ("base", "build"))
# Joins the same files as the gcc build, so that names clash in both or in none. clang-tidy spends
# most of its time on headers that they share.
CLANG = Variant("clang", "clang++-19",
                ("-Dwerror=true", "-Dunity=on", "-Dunity_size=8", "-Db_pch=false"),
                ("base", "build", "full"))

_SANITIZED = ("-Dunity=on", "-Dunity_size=8")
_TESTS = ("tests/unit/unit-tests", "tests/rpc/rpc-tests", "lvmd/lvmd-server")
# A finding of a sanitizer ends the program. Warnings are not errors here, because instrumented code
# causes additional ones. The other builds check warnings.
ADDRESS = Variant(
    "asan", "g++",
    (*_SANITIZED, "-Db_sanitize=address,undefined",
     "-Dcpp_args=-g1 -fpch-preprocess -fno-omit-frame-pointer -fno-sanitize-recover=all"),
    ("base", "build"), targets=_TESTS,
    environment=(("ASAN_OPTIONS", "detect_stack_use_after_return=1"),
                 ("UBSAN_OPTIONS", "print_stacktrace=1")))
# gRPC and its libraries are not instrumented, so the sanitizer does not detect that they
# synchronize threads.
THREAD = Variant(
    "tsan", "g++",
    (*_SANITIZED, "-Db_sanitize=thread", "-Dcpp_args=-g1 -fpch-preprocess -fno-omit-frame-pointer"),
    ("base", "build"), targets=_TESTS,
    environment=(("TSAN_OPTIONS", f"suppressions={ROOT}/tools/dev/tsan.txt "
                  "ignore_noninstrumented_modules=1 second_deadlock_stack=1"),))

# The fuzzers, with all code that they use.
FUZZ = Variant(
    "fuzz", "clang++-19",
    ("-Dwerror=true", "-Dtests=false", "-Dfuzz=true", "-Db_sanitize=address,undefined",
     "-Db_lundef=false", "-Dcpp_args=-fsanitize=fuzzer-no-link -fno-sanitize-recover=all"),
    ("base", "build", "fuzz"),
    targets=tuple(f"tests/fuzz/{path.stem.replace('_', '-', 1)}"
                  for path in sorted((ROOT / "tests/fuzz").glob("fuzz_*.cpp"))))


def build(progress: Progress, variant: Variant = GCC) -> Path:
    """Brings the build directory of `variant` up to date and returns it.

    Warnings are errors. A directory with another configuration, or for another path, is created
    again.
    """
    packages.ensure(*variant.groups)
    _configure(variant, progress)

    def show(line: str) -> None:
        match = _NINJA_STATUS.match(line)
        if match:
            progress.status(f"compiling with {variant.compiler}: {match[1]} of {match[2]}")

    if _up_to_date(variant):
        return variant.directory
    process.logged(
        f"compiling with {variant.compiler}",
        ["ninja", "-C", variant.directory, *variant.targets], progress,
        log_name=f"build-{variant.name}", on_line=show, tail=80,
    )
    return variant.directory


def install_tree(progress: Progress) -> Path:
    """Builds, and returns a DESTDIR with exactly the files that `meson install` installs on a host
    (and the test programs for the VM), without debug symbols."""
    directory = build(progress)
    CACHE.mkdir(exist_ok=True)
    # Another ./dev may do the same at this time.
    with INSTALL_TREE.with_name("install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _install(directory, progress)
    return INSTALL_TREE


def _install(directory: Path, progress: Progress) -> None:
    unfinished = INSTALL_TREE.with_name(f"unfinished-install-{os.getpid()}")
    unfinished.mkdir()
    try:
        process.logged(
            "installing into a folder",
            ["meson", "install", "-C", directory, "--no-rebuild", "--strip", "--destdir",
             unfinished],
            progress, log_name="install",
        )
        shutil.rmtree(INSTALL_TREE, ignore_errors=True)
        unfinished.rename(INSTALL_TREE)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _configure(variant: Variant, progress: Progress) -> None:
    version = subprocess.run(
        [variant.compiler, "--version"], check=True, capture_output=True, text=True
    ).stdout.splitlines()[0]
    text = "\n".join((str(ROOT), version, *variant.options))
    key = hashlib.sha256(text.encode()).hexdigest()
    stamp = variant.directory / "dev-configuration"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return
    shutil.rmtree(variant.directory, ignore_errors=True)
    env = process.environment()
    env["CXX"] = f"ccache {variant.compiler}" if shutil.which("ccache") else variant.compiler
    process.logged(
        f"configuring for {version}",
        ["meson", "setup", variant.directory, *variant.options], progress,
        log_name=f"configure-{variant.name}", env=env,
    )
    stamp.write_text(key, encoding="utf-8")


def _up_to_date(variant: Variant) -> bool:
    """True if Ninja has nothing to do, and need not run Meson again."""
    dry = subprocess.run(
        ["ninja", "-C", variant.directory, "-n", *variant.targets], check=False, capture_output=True, text=True,
        env=process.environment(),
    )
    return dry.returncode == 0 and "ninja: no work to do." in dry.stdout
