"""Runs Kubernetes' tests of external storage against the driver on the stage."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import functools
import io
import os
import re
import signal
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tools.dev import paths
from tools.go.build import build
from tools.image import oci

from . import junit, stage
from .junit import Spec

_PROCESSES = 4
# Of the order, which is the same in each run.
_SEED = 3
_DRIVER_YAML = Path(__file__).with_name("external_storage.yaml")
_REPORT = "external-storage.xml"
# The names of the images that the tests use, and of the registry that they are told.
_IMAGES = ("agnhost", "busybox", "glibc-dns-testing", "nginx")
_REGISTRY = "localhost"
# Time to write the report after the time limit.
_END_SECONDS = 120.0
# The program has other tests, too.
_PREFIX = re.compile(r"External Storage \[Driver: [^]]*\] ")
# busybox, and with its libraries the dd of coreutils, because that of busybox does not know
# `oflag=nocache`. The shell of busybox runs the programs of busybox, and dash has no `let`, so the
# shell is bash.
_PROGRAMS = """
cd / && tar --create --dereference bin/busybox bin/dd bin/bash \
  $(ldd bin/dd bin/bash | grep --only-matching '/[^ ]*' | cut --characters=2- | grep ^lib |
    sort --unique) | base64 --wrap=0
"""


class ExternalStorage:
    """The tests, and on the stage's node the image that their pods use. `shared` has the only
    one."""

    def __init__(self, bed: stage.Stage) -> None:
        self._plane = bed.plane
        self._folder = paths.LOGS / f"{paths.SUITE}.kubernetes"
        self._ginkgo, program, agnhost = (build(name, paths.CACHE / "go", stage.say)
                                          for name in ("ginkgo", "storage-e2e", "agnhost"))
        # ginkgo runs only programs with this suffix.
        self._program = self._folder / f"{program.name}.test"
        self._program.symlink_to(program)
        self._registries = self._folder / "registries.yaml"
        self._registries.write_text(f"promoterE2eRegistry: {_REGISTRY}\n", encoding="utf-8")
        _import_image(bed, agnhost, self._image_names())

    def run(self, selected: Iterable[str], left_out: Iterable[str] = (),
            seconds: float = 600.0) -> list[Spec]:
        """Runs the tests whose names match one of the regular expressions `selected` and none of
        `left_out`, several at a time. A name begins after what all names have in common. Returns
        the results of all tests.

        After `seconds`, those that are not finished fail. Raises AssertionError if there is no
        report.
        """
        log = self._folder / "external-storage.log"
        report = self._folder / _REPORT
        report.unlink(missing_ok=True)
        command = [
            self._ginkgo, "run", f"--procs={_PROCESSES}", f"--seed={_SEED}", "--no-color",
            f"--timeout={seconds:.0f}s", f"--output-dir={self._folder}",
            f"--junit-report={_REPORT}", *(f"--focus={_PREFIX.pattern}{words}" for words in selected),
            *(f"--skip={words}" for words in left_out), self._program, "--",
            f"--kubeconfig={self._plane.kubeconfig}",
            f"--kubectl-path={self._plane.kubectl_program}",
            f"--kube-test-repo-list={self._registries}", f"--storage.testdriver={_DRIVER_YAML}"]
        with log.open("wb") as output:
            _run(command, output.fileno(), seconds + _END_SECONDS)
        if not report.exists():
            end = "\n".join(log.read_text(errors="replace").splitlines()[-40:])
            raise AssertionError(f"ginkgo wrote no report. The end of {log}:\n{end}")
        return [dataclasses.replace(spec, name=spec.name[found.end():])
                for spec in junit.read(report.read_text(encoding="utf-8"))
                if (found := _PREFIX.match(spec.name))]

    def _image_names(self) -> list[str]:
        done = subprocess.run(
            [self._program, f"--kube-test-repo-list={self._registries}", "--list-images"],
            capture_output=True, text=True, check=True)
        wanted = tuple(f"{_REGISTRY}/{image}:" for image in _IMAGES)
        return sorted({name for name in done.stdout.split() if name.startswith(wanted)})


@functools.cache
def shared() -> ExternalStorage:
    """For the only stage of this process."""
    return ExternalStorage(stage.shared())


def selected_cases(request: pytest.FixtureRequest) -> list[Any]:
    """The methods of the class of `request` that run as cases. So a fixture of the class can run
    what all of them need at once."""
    return [getattr(request.cls, item.name) for item in request.session.items
            if isinstance(item, pytest.Function) and item.cls is request.cls]


def _import_image(bed: stage.Stage, agnhost: Path, names: list[str]) -> None:
    """One image with all programs that the tests start in their pods."""
    layer = io.BytesIO(base64.b64decode(bed.node.shell(_PROGRAMS)))
    with tarfile.open(fileobj=layer, mode="a") as archive:
        _add(archive, "agnhost", agnhost.read_bytes())
        _add(archive, "etc/passwd", b"root:x:0:0:root:/:/bin/sh\n", mode=0o644)
        for folder in ("tmp", "mnt", "opt"):
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777
            archive.addfile(entry)
        for program in bed.node.shell("busybox --list").split():
            if program not in ("busybox", "dd"):
                entry = tarfile.TarInfo(f"bin/{program}")
                entry.type = tarfile.SYMTYPE
                entry.linkname = "bash" if program == "sh" else "busybox"
                archive.addfile(entry)
    first, *others = names
    image, _ = oci.archive(layer.getvalue(), oci.Description(
        first, bed.node.shell("dpkg --print-architecture"), time=0,
        config={"Entrypoint": ["/agnhost"], "Cmd": ["pause"], "Env": ["PATH=/bin"]}))
    file = "/run/external-storage.tar"
    bed.node.write(file, image)
    images = "ctr --namespace=k8s.io images"
    bed.node.shell(f"{images} import {file} && rm {file} && "
                   f"for name in {' '.join(others)}; do {images} tag {first} $name; done")


def _add(archive: tarfile.TarFile, name: str, content: bytes, mode: int = 0o755) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    archive.addfile(entry, io.BytesIO(content))


def _run(command: list[str | Path], output: int, seconds: float) -> None:
    """Runs the command in a process group of its own, and ends all of it."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        pass
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
