"""The trees of tests/system/trees on a node."""

from __future__ import annotations

from pathlib import Path

from tests.system.trees import compare, odd

from .node import Node

_COMPARE, _ODD = "/srv/trees/compare.py", "/srv/trees/odd.py"


class Trees:
    def __init__(self, node: Node) -> None:
        self._node = node
        for path, module in ((_COMPARE, compare), (_ODD, odd)):
            node.write(path, Path(str(module.__file__)).read_text(encoding="utf-8"))

    def make(self, folder: str, hole_mib: int = 32) -> None:
        """Creates an odd tree in `folder`."""
        self._node.shell(f"python3 {_ODD} tree '{folder}' {hole_mib}")

    def make_blocks(self, device: str) -> None:
        """Writes data to odd places of a blank device."""
        self._node.shell(f"python3 {_ODD} blocks {device}")

    def differences(self, left: str, right: str) -> str:
        """The differences of the second one; empty if it has everything that restic stores."""
        code, said = self._node.run(
            f"python3 {_COMPARE} --without socket '{left}' '{right}'")
        if code not in (0, 1) or (code == 1 and not said):
            raise AssertionError(said)
        return said if code else ""

    def listed(self, folder: str) -> list[str]:
        """Everything that restic stores of it, a line for each name. For the comparison with a tree
        on another node."""
        return self._node.shell(f"python3 {_COMPARE} --without socket '{folder}'").splitlines()
