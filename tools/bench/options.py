"""The options of a measurement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """`calls` of each kind (with very many volumes, fewer), in groups of `volumes` volumes, one
    number after another. The volumes that are added to the initial 12 of each group are inactive, or
    active with `activate`.

    For the reconciler: CRs created one after another, CRs of its node, and CRs of other nodes. For
    the CSI drivers: `creations` CreateVolume calls.

    For transfers: the number of each, and the MB of each.
    """

    calls: int
    volumes: tuple[int, ...]
    activate: bool
    creations: int
    own: int
    foreign: int
    turns: int
    megabytes: int

    def words(self) -> str:
        """As arguments of `./dev bench peer`."""
        words = ["--calls", str(self.calls), "--volumes", *map(str, sorted(self.volumes))]
        return " ".join(words + (["--activate"] if self.activate else []))

    def reconcile_words(self) -> str:
        """As arguments of `./dev bench reconcile`."""
        return f"--calls {self.creations} --own {self.own} --foreign {self.foreign}"

    def csi_words(self) -> str:
        """As arguments of `./dev bench csi`."""
        return f"--calls {self.creations}"

    def transfer_words(self) -> str:
        """As arguments of `./dev bench transfer`."""
        return f"--calls {self.turns} --megabytes {self.megabytes}"
