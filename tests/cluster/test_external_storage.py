"""A few of Kubernetes' tests of external storage. Other cases of this suite test growth, snapshots,
capacity, fsGroup and subPath. The suite `long` runs all of these tests."""

from __future__ import annotations

import re
import unittest
from collections.abc import Callable
from typing import ClassVar

import pytest

from . import external_storage, stage
from .junit import Spec

# After the name, Ginkgo's tags may follow.
_END = r"( \[.*)?$"


def _passes(name: str) -> Callable[[ExternalStorage], None]:
    """A case: the test with this name passes."""
    def case(self: ExternalStorage) -> None:
        self.assert_passed(name)

    case.spec = name  # type: ignore[attr-defined]
    return case


@pytest.fixture(scope="class")
def results(request: pytest.FixtureRequest) -> None:
    """Runs the tests of all selected cases, several at a time."""
    request.cls.specs = external_storage.shared().run(
        re.escape(case.spec) + _END for case in external_storage.selected_cases(request))


@pytest.mark.usefixtures("results")
class ExternalStorage(unittest.TestCase):
    specs: ClassVar[list[Spec]]

    test_xfs = _passes(
        "[Testpattern: Dynamic PV (xfs)] [Slow] volumes should allow exec of files on the volume")
    test_mount_options = _passes("[Testpattern: Dynamic PV (default fs)] provisioning "
                                 "should provision storage with mount options")
    test_clone_of_a_raw_block_volume = _passes(
        "[Testpattern: Dynamic PV (block volmode)] provisioning "
        "should provision storage with pvc data source")
    test_several_ephemeral_raw_block_volumes = _passes(
        "[Testpattern: Generic Ephemeral-volume (block volmode) (late-binding)] ephemeral "
        "should support multiple inline ephemeral volumes")
    test_one_pod_only = _passes(
        "[Testpattern: Dynamic PV (default fs)] read-write-once-pod should block a second pod from "
        "using an in-use ReadWriteOncePod volume on the same node")
    test_topology = _passes("[Testpattern: Dynamic PV (delayed binding)] topology "
                            "should provision a volume and schedule a pod with AllowedTopologies")

    def assert_passed(self, name: str) -> None:
        ran = [spec for spec in self.specs if spec.ran and re.match(re.escape(name) + _END, spec.name)]
        self.assertEqual(len(ran), 1, [spec.name for spec in self.specs if spec.ran])
        if ran[0].problem:
            self.fail(f"{ran[0].name}\n{ran[0].problem}\n{stage.shared().describe()}")
