"""All of Kubernetes' tests of external storage that apply to lvmd on one node. README.md tells which
do not, and why."""

from __future__ import annotations

import re
import unittest
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

import pytest

from tests.e2e.kube import NODE

from . import external_storage, stage
from .junit import Spec

_SECONDS = 55 * 60.0
# A test fills the node. In others, four tests at a time have up to ten volumes.
_MOST_VOLUMES = 16
_LVMD_YAML = stage.lvmd_yaml().replace(
    f"node-name: {NODE}", f"node-name: {NODE}, max-volumes: {_MOST_VOLUMES}").replace(
    "overprovision-ratio: 5.0", "overprovision-ratio: 20.0")
# Tests that do not find out that they do not apply.
_NOT_HERE = ("any volume data source",)
# A name begins with the kind of volume and tags. The group follows.
_KIND = r"\[Testpattern: [^]]*\] (?:\[[^]]*\] )*"
_GROUP = re.compile(_KIND + r"(\S+)")
_ROW = re.compile(r"(?m)^\| (`[^|]+`) \| (\d+) \| [^|]+ \|$")


def _group(name: str) -> Callable[[ExternalStorage], None]:
    """A case: all tests of the group pass."""
    def case(self: ExternalStorage) -> None:
        self.assert_passes(name)

    case.group = name  # type: ignore[attr-defined]
    return case


@pytest.fixture(scope="class")
def results(request: pytest.FixtureRequest) -> None:
    """Runs the tests of all selected cases, several at a time."""
    bed = stage.shared()
    bed.node.write("/etc/topolvm/lvmd.yaml", _LVMD_YAML)
    # kubelet reads the number when it registers the driver.
    bed.node.shell("systemctl restart lvmd.service kubelet.service")
    bed.wait_until_ready()
    bed.plane.kubectl("wait", f"csinode/{NODE}", "--timeout=90s",
                      f"--for=jsonpath={{.spec.drivers[0].allocatable.count}}={_MOST_VOLUMES}")
    # A case without a group is about all tests.
    groups = {getattr(case, "group", "") for case in external_storage.selected_cases(request)}
    selected = [""] if "" in groups else [f"{_KIND}{group} " for group in groups]
    request.cls.specs = external_storage.shared().run(selected, _NOT_HERE, _SECONDS)


@pytest.mark.usefixtures("results")
class ExternalStorage(unittest.TestCase):
    specs: ClassVar[list[Spec]]

    test_capacity = _group("capacity")
    test_ephemeral = _group("ephemeral")
    test_fsgroupchangepolicy = _group("fsgroupchangepolicy")
    test_multi_volume = _group("multiVolume")
    test_provisioning = _group("provisioning")
    test_read_write_once_pod = _group("read-write-once-pod")
    test_snapshottable = _group("snapshottable")
    test_snapshottable_stress = _group("snapshottable-stress")
    test_sub_path = _group("subPath")
    test_topology = _group("topology")
    test_volume_expand = _group("volume-expand")
    test_volume_io = _group("volumeIO")
    test_volume_limits = _group("volumeLimits")
    test_volume_mode = _group("volumeMode")
    test_volume_stress = _group("volume-stress")
    test_volumes = _group("volumes")

    def assert_passes(self, group: str) -> None:
        ran = [spec for spec in self.specs if spec.ran and _group_of(spec) == group]
        self.assertNotEqual(ran, [])
        for spec in ran:
            print(f"{spec.seconds:6.1f} s  {spec.name}")
        failed = [f"{spec.name}\n{spec.problem}" for spec in ran if spec.problem]
        if failed:
            self.fail("\n\n".join(failed))

    def test_each_test_that_runs_is_one_of_a_case(self) -> None:
        cases = {case.group for case in vars(type(self)).values() if hasattr(case, "group")}
        self.assertEqual({_group_of(spec) for spec in self.specs if spec.ran}, cases)

    def test_what_is_left_out_is_in_the_table(self) -> None:
        """Each test that does not run belongs to the first row whose words are all in its name, and
        each row has the number of its tests. No test that runs has the words of a row."""
        rows = {words: int(count) for words, count in
                _ROW.findall(Path(__file__).with_name("README.md").read_text(encoding="utf-8"))}
        found = Counter(_row_of(spec, rows) for spec in self.specs if not spec.ran)
        self.assertEqual(found, Counter(rows))
        self.assertEqual([spec.name for spec in self.specs
                          if spec.ran and _row_of(spec, rows) in rows], [])


def _row_of(spec: Spec, rows: Iterable[str]) -> str:
    """The first row for the test; its name if there is none."""
    return next((row for row in rows
                 if all(words in spec.name for words in re.findall("`([^`]+)`", row))), spec.name)


def _group_of(spec: Spec) -> str:
    found = _GROUP.match(spec.name)
    return found[1] if found else ""
