"""Processes that are killed, stopped and restarted."""

from __future__ import annotations

from .fault import Fault
from .layout import CONFIG, GROUPS

_PLACES = {
    "supervisor": ("/usr/sbin/lvmd ",),
    "server": ("/usr/lib/lvmd/lvmd-server",),
    "observer": tuple(f"/usr/lib/lvmd/lvmd-observer {group} " for group in GROUPS),
    "worker": tuple(f"/usr/lib/lvmd/lvmd-worker {group} " for group in GROUPS),
}


class _ToProcess(Fault):
    process: str

    def pick(self) -> list[int]:
        """The process, or one of several; None while it is being restarted."""
        pids = [pid for prefix in _PLACES[self.process] for pid in self.stage.pids(prefix)]
        return [self.random.choice(pids)] if pids else []

    def signal(self, name: str, pids: list[int]) -> None:
        if pids:
            self.stage.try_shell(f"kill -{name} {' '.join(map(str, pids))}")


class _Kill(_ToProcess):
    times = 8

    def inject(self) -> None:
        self.signal("KILL", self.pick())


class _Stop(_ToProcess):
    times = 8
    hold = (2.0, 5.0)

    def inject(self) -> None:
        self.stopped = self.pick()
        self.signal("STOP", self.stopped)

    def heal(self) -> None:
        self.signal("CONT", self.stopped)


class Freeze(_Stop):
    name = "freeze"
    how = "SIGSTOP of a process picked at random until it is replaced, at most 40 s"
    times = 5
    hold = (0.0, 0.0)

    def inject(self) -> None:
        self.process = self.random.choice(list(_PLACES))
        super().inject()
        for pid in self.stopped:
            self.stage.try_shell(f"while test $SECONDS -lt 40 -a -d /proc/{pid}; do sleep 0.5; done")


def _of_each(kind: type[_ToProcess], verb: str, how: str) -> list[type[Fault]]:
    return [type(f"{verb}_{process}", (kind,), {
        "name": f"{verb}-{process}", "process": process, "how": how.format(process),
    }) for process in _PLACES]


class KillAll(_ToProcess):
    name = "kill-all"
    how = "SIGKILL of every process of lvmd at once"
    times = 8

    def inject(self) -> None:
        self.signal("KILL", [pid for prefixes in _PLACES.values() for prefix in prefixes
                             for pid in self.stage.pids(prefix)])


class KillStorm(_ToProcess):
    name = "kill-storm"
    how = "SIGKILL of a process picked at random, eight times, a second apart at most"
    times = 5

    def inject(self) -> None:
        for _ in range(8):
            self.process = self.random.choice(list(_PLACES))
            self.signal("KILL", self.pick())
            self.stage.shell(f"sleep {self.random.uniform(0.1, 1.0):.2f}")


class Restart(Fault):
    name = "restart"
    how = "systemctl restart lvmd"
    times = 8

    def inject(self) -> None:
        self.stage.shell("systemctl restart lvmd.service", timeout=120)


class Reload(Fault):
    name = "reload"
    how = "lvmd.yaml with other classes, systemctl reload lvmd, and back"
    times = 8
    hold = (0.5, 2.0)
    _CHANGES = (
        ("spare-gb: 0}\n  - name: thin-a", "spare-gb: 0}\n  - {name: more, volume-group: vg_a, "
         "type: thin, spare-gb: 0, thin-pool: {name: other, overprovision-ratio: 1.0}}\n"
         "  - name: thin-a"),
        ("name: thin-b", "name: thin-renamed"),
        ("thick-b, volume-group: vg_b, spare-gb: 0", "thick-b, volume-group: vg_b, spare-gb: 1"),
    )

    def inject(self) -> None:
        before, after = self.random.choice(self._CHANGES)
        if before not in CONFIG:
            raise AssertionError(f"the configuration has no '{before}'")
        self._apply(CONFIG.replace(before, after))

    def heal(self) -> None:
        self._apply(CONFIG)

    def _apply(self, text: str) -> None:
        self.stage.write_config(text)
        self.stage.shell("systemctl reload lvmd.service", timeout=120)


class PowerCut(Fault):
    name = "power-cut"
    how = "the VM is reset in whatever it does, and boots again"
    times = 5
    wanted = 10

    def inject(self) -> None:
        self.stage.cut_power()

    @property
    def ends_client(self) -> bool:
        return True


FAULTS: list[type[Fault]] = [
    *_of_each(_Kill, "kill", "SIGKILL of the {}"), KillAll, KillStorm,
    *_of_each(_Stop, "stop", "SIGSTOP of the {}, SIGCONT after 2 to 5 s"),
    Freeze, Restart, Reload, PowerCut,
]
