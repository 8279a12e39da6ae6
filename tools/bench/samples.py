"""The times of calls in the output of bench-floor and bench-client."""

from __future__ import annotations

import json
from collections.abc import Iterable
from statistics import median

Samples = dict[str, list[float]]
"""The milliseconds of each call, by name, in the order of the calls."""


class BenchError(Exception):
    """A measurement is wrong. The text names it."""


def parse_line(line: str) -> tuple[str, list[float]]:
    """The call and its times in one line of output. Raises BenchError if the line is anything
    else."""
    try:
        entry = json.loads(line)
        return str(entry["call"]), [float(time) for time in entry["ms"]]
    except (ValueError, KeyError, TypeError) as error:
        raise BenchError(f"not a line of times: {line!r}") from error


def joined(rounds: Iterable[Samples]) -> Samples:
    """The times of several rounds together."""
    result: Samples = {}
    for samples in rounds:
        for call, times in samples.items():
            result.setdefault(call, []).extend(times)
    return result


def middle(times: list[float]) -> tuple[float, float]:
    """The lowest and the highest of the times without the lowest tenth and the highest tenth."""
    left_out = len(times) // 10
    kept = sorted(times)[left_out:len(times) - left_out]
    return kept[0], kept[-1]


def p50(samples: Samples, call: str) -> float:
    """The median of a call's times. Raises BenchError if there are none."""
    if not samples.get(call):
        raise BenchError(f"{call} has not been measured: there are {', '.join(samples) or 'none'}")
    return median(samples[call])
