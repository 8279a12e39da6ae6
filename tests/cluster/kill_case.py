"""The base class of the cases that kill a process of lvmd in the middle of a call."""

from __future__ import annotations

import shlex

from .claim_case import ClaimCase

_FILE = "/run/lvmd.failpoint"
# Those that kubelet makes before another one that comes to the same places.
_FIRST_CALLS = ("NodeStageVolume", "NodeUnpublishVolume")


class KillCase(ClaimCase):
    """lvmd/base/failpoint.hpp has the places where a process can be made to wait."""

    def setUp(self) -> None:
        super().setUp()
        self._place = ""
        self._succeeded: dict[str, int] = {}

    def stop_at(self, place: str) -> None:
        """From now on, processes that come to the place wait there."""
        self._succeeded = {method: self.stage.calls(method) for method in _FIRST_CALLS}
        self.addCleanup(self.stage.node.run, f"rm --force {_FILE}")
        self.stage.node.shell(_stop_at(place))
        self._place = place

    def wait_at_place(self) -> None:
        """Waits for a process at the place of `stop_at`."""
        self.eventually(f"a process comes to {self._place}", self._waits, lambda: self._place)

    def let_go(self) -> None:
        """The processes at the place of `stop_at` go on, and later ones do not wait."""
        self.stage.node.shell(_stop_at(""))

    def kill_in_change(self, then: str = "") -> None:
        """Waits for a process at the place of `stop_at`. Kills lvmd-reconciler, csi-controller and
        the sidecars, which wait for the call, then this process. From then on, processes wait at
        the place `then` instead."""
        self.wait_at_place()
        self.stage.reconciler.kill()
        self.stage.controller.kill()
        killed = self._kill(then)
        self.stage.reconciler.start()
        self.assertTrue(killed, "the process has not waited until its kill")

    def kill_in_call(self, method: str, then: str = "", after: str = "") -> None:
        """Kills the process that comes to the place of `stop_at`, and waits until a call of
        `method` has failed by it. Processes that come before a call of `after`, one of
        _FIRST_CALLS, has succeeded since `stop_at` are not killed. From then on, processes wait at
        the place `then` instead."""
        failed = self.stage.calls(method, "UNAVAILABLE")

        def attempt() -> bool:
            # Only these: a process that comes after the call has succeeded is to be killed.
            waiting = self._waiting()
            if not after or self.stage.calls(after) > self._succeeded[after]:
                return self._kill(then)
            self._let_pass(waiting)
            return False

        self.eventually(f"a process comes to {self._place} in {method}", attempt,
                        lambda: self._place)
        self.eventually(f"{method} fails",
                        lambda: self.stage.calls(method, "UNAVAILABLE") > failed,
                        lambda: self._place)

    def _waits(self) -> bool:
        return bool(self._waiting())

    def _waiting(self) -> list[str]:
        """The pids of the processes that wait at the place."""
        return self.stage.node.run(f"{_search(self._place)} --files-with-matches | "
                                   "cut --delimiter=/ --fields=3")[1].split()

    def _kill(self, then: str) -> bool:
        """False if no process waits at the place. With the same command, later ones wait at `then`:
        the caller may repeat the call at once."""
        killed = self.stage.node.run(
            # grep also fails if a process ends during the search.
            f"found=$({_search(self._place)} --files-with-matches); test \"$found\" || exit 1; "
            "for file in $found; do kill -KILL $(cut --delimiter=/ --fields=3 <<<$file); done; "
            f"{_stop_at(then)}")[0] == 0
        if killed:
            self._place = then
        return killed

    def _let_pass(self, pids: list[str]) -> None:
        """These processes go on. Others still wait at the place."""
        if pids:
            self.stage.node.shell(f"printf '%s\\n' {' '.join(pids)} >>{_FILE}")


def _stop_at(place: str) -> str:
    return f"echo {place} >{_FILE}" if place else f"rm --force {_FILE}"


def _search(place: str) -> str:
    """A command that searches for threads that wait at the place."""
    return f"grep --no-messages --line-regexp {shlex.quote(place)} /proc/[0-9]*/task/*/comm"
