"""What one chooses of a measurement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """`calls` of each kind, in groups of so many `volumes`, one number after the other. What is
    added to the 12 volumes that each group begins with is inactive, or active with `activate`.

    For the reconciler: CRs made one after the other, CRs of its node, and those of other nodes.

    For transfers: how often each is made, and of how many MB."""

    calls: int
    volumes: tuple[int, ...]
    activate: bool
    creations: int
    own: int
    foreign: int
    turns: int
    megabytes: int

    def words(self) -> str:
        """As they are given to `./dev bench peer`."""
        words = ["--calls", str(self.calls), "--volumes", *map(str, sorted(self.volumes))]
        return " ".join(words + (["--activate"] if self.activate else []))

    def reconcile_words(self) -> str:
        """As they are given to `./dev bench reconcile`."""
        return f"--calls {self.creations} --own {self.own} --foreign {self.foreign}"

    def transfer_words(self) -> str:
        """As they are given to `./dev bench transfer`."""
        return f"--calls {self.turns} --megabytes {self.megabytes}"
