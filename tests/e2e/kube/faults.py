"""What can go wrong between a client and the API server, and a policy that picks at random."""

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
    """What is done to one request. Each happens only to the sorts that FITS names."""

    DROP = "drop"
    """The connection is closed, and the server never hears of the request."""
    DROP_AFTER = "drop-after"
    """The server does what is asked, and the connection is closed without its answer."""
    DELAY = "delay"
    """The request waits before it goes on."""
    TRUNCATE = "truncate"
    """The body of the answer is cut, and the connection closed."""
    DUPLICATE = "duplicate"
    """The server is asked twice; the client gets the second answer."""
    CONFLICT = "409"
    GONE = "410"
    TOO_MANY = "429"
    BROKEN = "500"
    """With the three above: the server never hears of the request, and this is the answer."""
    SLOW_LORIS = "slow-loris"
    """The answer comes byte by byte for some seconds."""
    CUT_EVENT = "cut-event"
    """A watch ends in the middle of an event, without a proper end."""
    DUPLICATE_EVENT = "duplicate-event"
    """From some event on a watch tells each one twice."""
    EXPIRED_EVENT = "expired-event"
    """A watch ends with an ERROR event of code 410."""
    STALL = "stall"
    """A watch is silent for some seconds, whatever happens meanwhile, and is closed then."""


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

# From the shortest to the longest, in seconds.
_DURATIONS = {Kind.DELAY: (0.1, 1.0), Kind.SLOW_LORIS: (1.0, 3.0), Kind.STALL: (1.0, 3.0)}
_MOST_EVENTS_BEFORE = 3
# While some kind has never happened: one of so many requests that chance leaves alone gets it.
_PATIENCE = {Sort.READ: 4, Sort.WRITE: 4, Sort.WATCH: 1}


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    """With the query."""

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
    """How long it lasts, where it lasts."""
    events: int = 0
    """How many events of a watch pass unharmed before it."""
    share: float = 0.5
    """How much of a body, or of an event, is left when it is cut."""


class Policy(Protocol):
    """Asked by several threads at once."""

    def __call__(self, request: Request) -> Fault | None:
        """What shall happen to the request."""

    def begins(self, kind: Kind) -> bool:
        """Asked right before it happens, which may be much later: whether it still shall."""


class Faults:
    """Picks at random, by the chance that each kind has for a request that it fits.

    While there is a kind that has never happened, a request is given one of those now and then that
    chance would have left alone: so each comes, however few the requests are. As long as it is
    switched off nothing happens at all.
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
        """How often each kind of those with a chance has happened."""
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
