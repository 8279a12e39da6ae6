"""Where a store runs, and how its server is started there as a unit."""

from __future__ import annotations

import shlex
from typing import Protocol

# Apart from what lvmd may write to: what a case searches for secrets.
FOLDER = "/srv/stores"


class Place(Protocol):
    """A host with systemd. Both raise when it did not work."""

    def shell(self, command: str) -> str:
        """The command's output, run by bash as root."""
        ...

    def write(self, path: str, content: str) -> None:
        """Makes or replaces a file, and the folders above it."""
        ...


def start_unit(place: Place, unit: str, words: list[str], port: int, environment: str = "") -> None:
    """Starts `words` and returns when somebody listens on the port. `environment` is the path of a
    file: what systemd-run is given itself can be read below /run."""
    options = ["--quiet", "--collect", "--service-type=exec", f"--unit={unit}"]
    if environment:
        options.append(f"--property=EnvironmentFile={environment}")
    place.shell(shlex.join(["systemd-run", *options, *words]))
    place.shell(f"for _ in $(seq 300); do (: </dev/tcp/127.0.0.1/{port}) 2>/dev/null && exit 0; "
                f"systemctl is-active -q {unit} || break; sleep 0.1; done; "
                f"journalctl --no-pager -n 20 -u {unit}; exit 1")


def stop_unit(place: Place, unit: str) -> None:
    """Also when it is not there any more."""
    place.shell(f"systemctl stop {unit} 2>/dev/null || ! systemctl is-active -q {unit}")
