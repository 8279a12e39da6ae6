"""`./dev bench peer --against COMMIT` compares this build with that of an older commit. They take
turns on the same volume group in one VM. The result shows whether a call has become slower."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.dev import process
from tools.dev.build import GCC
from tools.dev.errors import DevError
from tools.dev.paths import CACHE, ROOT
from tools.dev.progress import Progress
from tools.vm import Machine

from . import programs, report, stage
from .bench_vm import bench_vm
from .options import Options
from .run import Run
from .samples import BenchError, Samples, joined, p50

OLD, NEW, OLD_AGAIN = "old", "new", "old again"
# Each build is measured early and late. The old build is measured twice, and each measurement is
# kept separately: the difference between its two halves is the noise of this run.
_ORDER = (OLD, NEW, OLD_AGAIN, OLD_AGAIN, NEW, OLD)
_TURNS_OF_EACH = 8
# A read takes about a millisecond, and its time differs between two starts of one build, so there
# are many reads and many turns.
_READS_PER_CHANGE = 40
# The allowed slowdown of a call beyond the noise.
ALLOWED = 0.05
# The installed files in the VM that an older build replaces.
_INSTALLED = ("usr/lib/lvmd", "usr/sbin/lvmd", "usr/lib/systemd/system/lvmd.service",
              "usr/lib/systemd/system/lvmd.socket", "usr/lib/systemd/system/lvmd-ro.socket")
_OLD_FOLDER = "/root/old"


@dataclass(frozen=True)
class Compared:
    """One call: medians in ms."""

    call: str
    old: float
    old_again: float
    new: float

    @property
    def noise(self) -> float:
        """The difference between the two halves of the old build, as a share."""
        return max(self.old, self.old_again) / min(self.old, self.old_again) - 1

    @property
    def ratio(self) -> float:
        """The new build's time divided by the old one's."""
        return 2 * self.new / (self.old + self.old_again)

    def is_slower(self) -> bool:
        return self.ratio > 1 + ALLOWED + self.noise


def compare(times: dict[str, Samples]) -> list[Compared]:
    """Raises BenchError if a call has no times."""
    return [Compared(call, p50(times[OLD], call), p50(times[OLD_AGAIN], call), p50(times[NEW], call))
            for call in report.CALLS]


def told(compared: list[Compared], calls: int, commit: str, volumes: int) -> str:
    rows = [["", "old", "old again", "new", "noise", "new ÷ old", ""]]
    rows += [[each.call, report.milliseconds(each.old), report.milliseconds(each.old_again),
              report.milliseconds(each.new), f"{each.noise:.1%}", f"{each.ratio:.3f}",
              "SLOWER" if each.is_slower() else ""] for each in compared]
    return report.table(f"this build against {commit}, p50 in ms ({volumes} volumes, {calls} changes "
                        "of each kind and build)", rows)


def run(progress: Progress, output: Path, options: Options, commit: str) -> int:
    """Measures with the first number of volumes, prints the table and writes against.json into
    `output`. Returns 1 if a call is slower by more than 5 % beyond the noise."""
    description = Run(f"./dev bench peer {options.words()} --against {commit}")
    full = _commit(commit)
    share = _installed(full, progress)
    with bench_vm(progress, share=share) as machine:
        try:
            with progress.step("making the volume group"):
                machine.run(f"cp -a /mnt {_OLD_FOLDER}", timeout=300, check=True)
                stage.make_group(machine)
                volumes = stage.grow_group(machine, min(options.volumes), options.activate)
            times = {who: joined(taken) for who, taken in
                     _measure(machine, options.calls, progress).items()}
            compared = compare(times)
        except BenchError as error:
            raise DevError(str(error)) from error
        stored = {"run": description.told(machine), "against": full, "volumes": volumes,
                  "calls": [vars(each) | {"ratio": round(each.ratio, 3), "noise": round(each.noise, 3)}
                            for each in compared]}
    (output / "against.json").write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
    print(f"\n{told(compared, options.calls, full[:12], volumes)}\n", flush=True)
    return int(any(each.is_slower() for each in compared))


def turns(calls: int) -> Iterator[tuple[str, int]]:
    """The builds in the order of their measurement, with the number of changes each: `calls` in
    all, or a few more."""
    each = -(-calls // _TURNS_OF_EACH)
    for _ in range(_TURNS_OF_EACH // 2):
        for who in _ORDER:
            yield who, each


def _measure(machine: Machine, calls: int, progress: Progress) -> dict[str, list[Samples]]:
    times: dict[str, list[Samples]] = {who: [] for who in _ORDER}
    for number, (who, changes) in enumerate(turns(calls), 1):
        label = f"{who} (turn {number} of {len(_ORDER) * _TURNS_OF_EACH // 2})"
        with progress.step(label), _build(machine, who), stage.running(machine, stage.OURS):
            # Waits until it answers.
            programs.bench_client(machine, stage.OURS.socket, lambda text: None, reads=1)
            times[who].append(programs.bench_client(
                machine, stage.OURS.socket, lambda text: None, reads=changes * _READS_PER_CHANGE,
                changes=changes))
    return times


@contextmanager
def _build(machine: Machine, who: str) -> Iterator[None]:
    """In the context, the old build's files replace the new one's."""
    if who == NEW:
        yield
        return
    # bench-client of the new build measures both.
    binds = " && ".join(f"mount --bind {_OLD_FOLDER}/{path} /{path}" for path in _INSTALLED)
    bench = f"mount --bind /usr/lib/lvmd/bench {_OLD_FOLDER}/usr/lib/lvmd/bench"
    machine.run(f"{bench} && {binds} && systemctl daemon-reload", check=True)
    yield
    paths = " ".join(f"/{path}" for path in reversed(_INSTALLED))
    machine.run("systemctl stop lvmd.service lvmd.socket lvmd-ro.socket; "
                f"umount {paths} {_OLD_FOLDER}/usr/lib/lvmd/bench && systemctl daemon-reload",
                check=True)


def _commit(name: str) -> str:
    done = subprocess.run(["git", "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], cwd=ROOT,
                          check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise DevError(f"bench: --against {name}: there is no such commit in this clone")
    return done.stdout.strip()


def _installed(commit: str, progress: Progress) -> Path:
    """The files that `meson install` installs from the commit, cached for the next run."""
    folder = CACHE / "against" / commit
    if folder.exists():
        return folder
    work = folder.with_suffix(".work")
    shutil.rmtree(work, ignore_errors=True)
    (work / "source").mkdir(parents=True)
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", work / "source"], input=archive.stdout, check=True)
    environment = process.environment() | {"CXX": f"ccache {GCC.compiler}"}
    label = f"building {commit[:12]}"
    for step, command in (
        ("configuring", ["meson", "setup", work / "build", work / "source", *GCC.options]),
        ("compiling", ["ninja", "-C", work / "build"]),
        ("installing", ["meson", "install", "-C", work / "build", "--no-rebuild", "--strip",
                        "--destdir", work / "tree"]),
    ):
        process.logged(f"{label}: {step}", command, progress, log_name="against", env=environment)
    (work / "tree").rename(folder)
    shutil.rmtree(work)
    return folder
