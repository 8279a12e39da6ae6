"""The faults between a client and the API server, and a policy that selects them at random."""

from __future__ import annotations

import enum
import random
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qs, urlsplit


class Sort(enum.Enum):
    READ = "read"
    WRITE = "write"
    WATCH = "watch"


class Kind(enum.Enum):
    """A fault of one request. Each fault applies only to the sorts of requests in FITS."""

    DROP = "drop"
    """The connection is closed. The server does not get the request."""
    DROP_AFTER = "drop-after"
    """The server executes the request, and the connection is closed without its response."""
    DELAY = "delay"
    """The request is delayed."""
    TRUNCATE = "truncate"
    """The body of the response is cut, and the connection closed."""
    DUPLICATE = "duplicate"
    """The request is sent twice. The client gets the second response."""
    CONFLICT = "409"
    GONE = "410"
    TOO_MANY = "429"
    BROKEN = "500"
    """With the three above: the server does not get the request, and this is the response."""
    SLOW_LORIS = "slow-loris"
    """The response is sent byte by byte for some seconds."""
    CUT_EVENT = "cut-event"
    """A watch ends within an event, without a proper end."""
    DUPLICATE_EVENT = "duplicate-event"
    """From some event on, a watch repeats each event."""
    EXPIRED_EVENT = "expired-event"
    """A watch ends with an ERROR event of code 410."""
    STALL = "stall"
    """A watch sends nothing for some seconds, whatever happens meanwhile. Then it is closed."""


_ANY = frozenset(Sort)
_WRITE = frozenset({Sort.WRITE})
_WATCH = frozenset({Sort.WATCH})
FITS: dict[Kind, frozenset[Sort]] = {
    Kind.DROP: _ANY,
    Kind.DROP_AFTER: _WRITE,
    Kind.DELAY: _ANY,
    Kind.TRUNCATE: frozenset({Sort.READ, Sort.WRITE}),
    Kind.DUPLICATE: _WRITE,
    Kind.CONFLICT: _WRITE,
    Kind.GONE: frozenset({Sort.READ, Sort.WATCH}),
    Kind.TOO_MANY: _ANY,
    Kind.BROKEN: _ANY,
    Kind.SLOW_LORIS: _ANY,
    Kind.CUT_EVENT: _WATCH,
    Kind.DUPLICATE_EVENT: _WATCH,
    Kind.EXPIRED_EVENT: _WATCH,
    Kind.STALL: _WATCH,
}

# The shortest and the longest time, in seconds.
_DURATIONS = {Kind.DELAY: (0.1, 1.0), Kind.SLOW_LORIS: (1.0, 3.0), Kind.STALL: (1.0, 3.0)}
_MOST_EVENTS_BEFORE = 3
# While some kind has never occurred, one of this number of requests without a fault gets it.
_PATIENCE = {Sort.READ: 4, Sort.WRITE: 4, Sort.WATCH: 1}


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    """Including the query."""

    @property
    def sort(self) -> Sort:
        if self.method != "GET":
            return Sort.WRITE
        watch = parse_qs(urlsplit(self.path).query).get("watch", [""])
        return Sort.WATCH if watch[-1] in ("1", "true") else Sort.READ


@dataclass(frozen=True)
class Fault:
    kind: Kind
    seconds: float = 0.0
    """The duration, for faults that last."""
    events: int = 0
    """The number of events of a watch before the fault."""
    share: float = 0.5
    """The length of a body, or of an event, after the cut."""


class Policy(Protocol):
    """Several threads call it at the same time."""

    def __call__(self, request: Request) -> Fault | None:
        """The fault of the request."""

    def begins(self, kind: Kind) -> bool:
        """Called directly before the fault, which may be much later. Returns false if the fault
        must not occur any more."""


class Faults:
    """Selects faults at random, with the probability of each kind for a request that it fits.

    While some kind has never occurred, a request without a fault sometimes gets it. So each kind
    occurs, even with few requests. While the policy is switched off, there are no faults.
    """

    def __init__(self, seed: int, chances: Mapping[Kind, float]) -> None:
        for sort in Sort:
            if sum(chance for kind, chance in chances.items() if sort in FITS[kind]) > 1:
                raise ValueError(f"the chances for a {sort.value} are more than 1 together")
        self._random = random.Random(seed)
        self._chances = dict(chances)
        self._lock = threading.Lock()
        self._on = True
        self._happened: Counter[Kind] = Counter()
        self._left_alone: Counter[Sort] = Counter()

    def switch(self, on: bool) -> None:
        with self._lock:
            self._on = on

    def happened(self) -> dict[Kind, int]:
        """The number of faults of each kind with a probability."""
        with self._lock:
            return {kind: self._happened[kind] for kind in self._chances}

    def __call__(self, request: Request) -> Fault | None:
        with self._lock:
            if not self._on:
                return None
            fitting = [kind for kind in self._chances if request.sort in FITS[kind]]
            kind = self._by_chance(fitting) or self._missing(request.sort, fitting)
            return None if kind is None else self._fault(kind)

    def begins(self, kind: Kind) -> bool:
        with self._lock:
            if self._on:
                self._happened[kind] += 1
            return self._on

    def _by_chance(self, fitting: list[Kind]) -> Kind | None:
        draw = self._random.random()
        for kind in fitting:
            draw -= self._chances[kind]
            if draw < 0:
                return kind
        return None

    def _missing(self, sort: Sort, fitting: list[Kind]) -> Kind | None:
        self._left_alone[sort] += 1
        missing = [kind for kind in fitting if not self._happened[kind]]
        if not missing or self._left_alone[sort] < _PATIENCE[sort]:
            return None
        self._left_alone[sort] = 0
        return self._random.choice(missing)

    def _fault(self, kind: Kind) -> Fault:
        return Fault(kind,
                     seconds=self._random.uniform(*_DURATIONS.get(kind, (0.0, 0.0))),
                     events=self._random.randrange(_MOST_EVENTS_BEFORE + 1),
                     share=self._random.uniform(0.1, 0.9))
