"""The report that tests with Ginkgo write."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

_KIND = "[It] "


@dataclass(frozen=True)
class Spec:
    """A test."""

    name: str
    seconds: float
    ran: bool
    """False if it was not selected, or does not apply."""
    problem: str = ""
    """Why it failed; empty if it passed."""


def read(report: str) -> list[Spec]:
    """All tests of a report in JUnit's form. What Ginkgo runs before and after them is not among
    them."""
    found = []
    for case in ElementTree.fromstring(report).iter("testcase"):
        name = case.attrib["name"]
        if not name.startswith(_KIND):
            continue
        problems = [f"{part.get('message', '')}\n{part.text or ''}".strip()
                    for part in case if part.tag in ("failure", "error")]
        found.append(Spec(name.removeprefix(_KIND), float(case.get("time", 0)),
                          case.find("skipped") is None, "\n".join(problems)))
    return found
