"""Times of calls as the programs bench-floor and bench-client print them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from statistics import median

Samples = dict[str, list[float]]
"""Milliseconds of each call, by its name, in the order in which they were made."""


class BenchError(Exception):
    """A measurement is not what it should be; the text names it."""


def parse_line(line: str) -> tuple[str, list[float]]:
    """The call and its times of one line of output. Raises BenchError when it is something else."""
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


def p50(samples: Samples, call: str) -> float:
    """The median of a call's times. Raises BenchError when there are none."""
    if not samples.get(call):
        raise BenchError(f"{call} has not been measured: there are {', '.join(samples) or 'none'}")
    return median(samples[call])
