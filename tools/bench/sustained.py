"""Changes one after another, including the copies of the metadata that LVM keeps on the host."""

from __future__ import annotations

import re

from tools.vm import Machine

from .programs import FOLDER
from .samples import BenchError

_LIMIT_SECONDS = 20 * 60
# The files are complete when the backup is that of the group and each change has an archive.
_SCRIPT = """
set -eo pipefail
archives() {{ find /etc/lvm/archive -name 'vg0_*.vg' | wc -l; }}
backed_up() {{ awk '$1 == "seqno" {{ print $3; exit }}' /etc/lvm/backup/vg0; }}
wanted=$(($(archives) + {changes}))
begin=$(date +%s%N)
{command} >/dev/null
seqno=$(vgs --noheadings -o vg_seqno vg0 | xargs)
until [[ $(backed_up) == "$seqno" && $(archives) -ge $wanted ]]; do sleep 0.1; done
echo "nanoseconds: $(($(date +%s%N) - begin))"
"""
# bench-client and bench-floor make these changes of each number: a thick volume is created, grown
# and removed; a thin volume and its snapshot are created and removed.
_KINDS = 7


def by_lvmd(machine: Machine, socket: str, calls: int) -> tuple[int, float]:
    """The number of changes and the seconds until all their files are written."""
    return _taken(machine, f"bench-client --socket {socket} --changes {calls}", calls)


def by_library(machine: Machine, calls: int) -> tuple[int, float]:
    """The same with the LVM library alone, which writes the files in each command."""
    return _taken(machine, f"bench-floor --volume-group vg0 --pool pool0 --calls {calls}", calls)


def _taken(machine: Machine, command: str, calls: int) -> tuple[int, float]:
    script = _SCRIPT.format(command=f"{FOLDER}/{command}", changes=_KINDS * calls)
    done = machine.run(script, timeout=_LIMIT_SECONDS, check=True)
    found = re.search(r"^nanoseconds: (\d+)$", done.output, re.MULTILINE)
    if found is None:
        raise BenchError(f"{command}: no time in its output:\n{done.output}")
    return _KINDS * calls, int(found[1]) / 1e9
