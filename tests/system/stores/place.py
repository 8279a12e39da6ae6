"""The host of a store, and the start of its server as a unit there."""

from __future__ import annotations

import shlex
from typing import Protocol

# Outside of the folders to which lvmd may write, because cases search those for secrets.
FOLDER = "/srv/stores"


class Place(Protocol):
    """A host with systemd. Both functions raise an exception if the command fails."""

    def shell(self, command: str) -> str:
        """Runs the command with bash as root. Returns its output."""
        ...

    def write(self, path: str, content: str) -> None:
        """Creates or replaces a file, and the folders above it."""
        ...


def start_unit(place: Place, unit: str, words: list[str], port: int, environment: str = "") -> None:
    """Starts `words` as a unit and waits until the port is open. `environment` is the path of a
    file, because arguments of systemd-run can be read below /run."""
    options = ["--quiet", "--collect", "--service-type=exec", f"--unit={unit}"]
    if environment:
        options.append(f"--property=EnvironmentFile={environment}")
    place.shell(shlex.join(["systemd-run", *options, *words]))
    place.shell(f"for _ in $(seq 300); do (: </dev/tcp/127.0.0.1/{port}) 2>/dev/null && exit 0; "
                f"systemctl is-active -q {unit} || break; sleep 0.1; done; "
                f"journalctl --no-pager -n 20 -u {unit}; exit 1")


def stop_unit(place: Place, unit: str) -> None:
    """No error if it does not run."""
    place.shell(f"systemctl stop {unit} 2>/dev/null || ! systemctl is-active -q {unit}")
