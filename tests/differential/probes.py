"""Checks of a daemon that need no call: its socket, and the starts that it refuses."""

from __future__ import annotations

from dataclasses import dataclass

_START = """
folder=$(mktemp -d) && cd "$folder"
cat >lvmd.yaml <<CONFIG
socket-name: $folder/lvmd.sock
{config}
CONFIG
$daemon --config lvmd.yaml {flags} >log 2>&1 &
pid=$!
for _ in $(seq 200); do
  sleep 0.1
  [ -S lvmd.sock ] && break
  kill -0 $pid 2>/dev/null || break
done
sleep 0.2
if kill $pid 2>/dev/null; then echo started; else echo refused; fi
wait
"""
_CLASS = "device-classes: [{name: one, volume-group: vg_a, default: true}]"


@dataclass(frozen=True)
class Probe:
    """`call`: the name of the probe in intended.toml."""

    name: str
    call: str
    command: str


def _start(name: str, config: str, flags: str = "") -> Probe:
    return Probe(name, "start", _START.format(config=config, flags=flags))


PROBES = (
    Probe("who may open the socket", "socket", "stat -c '%a %U %G' $socket"),
    _start("start with a plain configuration", _CLASS),
    _start("start with a key that is not known", f"{_CLASS}\nno-such-key: 1"),
    _start("start with TopoLVM's flags", _CLASS, "--zap-log-level=debug -v=2"),
    _start("start with a group that does not exist",
           "device-classes: [{name: missing, volume-group: vg_nowhere}]"),
    _start("start with a key given twice", "device-classes: [{name: one, volume-group: vg_a, spare-gb: 1, spare-gb: 2}]"),
    _start("start with a word that has a blank",
           "device-classes: [{name: one, volume-group: vg_a, lvcreate-options: ['-i 2']}]"),
    _start("start with an option class whose name no tag can have",
           f"{_CLASS}\nlvcreate-option-classes: [{{name: 'a b', options: []}}]"),
    _start("start with two default classes",
           "device-classes: [{name: one, volume-group: vg_a, default: true}, "
           "{name: two, volume-group: vg_b, default: true}]"),
)
