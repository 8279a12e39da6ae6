"""Reads the XML report of a Catch2 (2.13) program while it runs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

from .results import Case

ARGUMENTS = ("--reporter", "xml", "--durations", "yes")


def name_filter(pattern: str, tag: str = "") -> str:
    """A test specification that selects the cases whose name contains `pattern`: those that have
    `tag`, or without one those that are not hidden."""
    return (f"[{tag}]" if tag else "~[.]") + "*" + re.sub(r'([,\[\]\\"])', r"\\\1", pattern) + "*"


class ReportReader:
    """Takes the report piece by piece; knows at any time which cases are done and which one runs.

    A report that breaks off (the program crashed) leaves the running case as a failed one.
    """

    def __init__(self, on_case: Callable[[str], None] = lambda name: None) -> None:
        self.cases: list[Case] = []
        self._parser = ElementTree.XMLPullParser(events=("start", "end"))
        self._on_case = on_case
        self._running: str | None = None
        self._complete = False

    def feed(self, data: bytes | str) -> None:
        try:
            self._parser.feed(data)
            self._take_events()
        except ElementTree.ParseError as error:
            raise ValueError(f"the report is not Catch2's XML: {error}") from error

    def finish(self, exit_code: int) -> list[Case]:
        """All cases; call it once, when the program has ended."""
        if self._running is not None:
            reason = f"the program ended within this case (exit code {exit_code})"
            self.cases.append(Case(self._running, passed=False, output=reason))
        elif not self._complete:
            reason = f"the program ended without a complete report (exit code {exit_code})"
            self.cases.append(Case("complete report", passed=False, output=reason))
        elif exit_code != 0 and all(case.passed for case in self.cases):
            reason = f"every case passed, yet the exit code is {exit_code}"
            self.cases.append(Case("exit code", passed=False, output=reason))
        return self.cases

    def _take_events(self) -> None:
        for event, element in self._parser.read_events():
            if element.tag == "TestCase" and event == "start":
                self._running = element.get("name", "?")
                self._on_case(self._running)
            elif element.tag == "TestCase":
                self.cases.append(_case(element))
                self._running = None
                element.clear()
            elif element.tag == "Catch" and event == "end":
                self._complete = True


def _case(element: ElementTree.Element) -> Case:
    overall = element.find("OverallResult")
    passed = overall is not None and overall.get("success") == "true"
    seconds = float(overall.get("durationInSeconds", "0")) if overall is not None else 0.0
    output = "" if passed else "\n".join(_describe(element, []))
    return Case(element.get("name", "?"), passed, seconds, output)


def _describe(element: ElementTree.Element, sections: list[str]) -> list[str]:
    lines: list[str] = []
    notes: list[str] = []  # Catch2 writes what INFO said in front of the assertion that it is about
    for child in element:
        if child.tag == "Section":
            lines += _describe(child, [*sections, child.get("name", "?")])
        elif child.tag in ("Info", "Warning"):
            notes.append(f"  note: {(child.text or '').strip()}")
        elif child.tag == "OverallResult":
            lines += [(part.text or "").strip() for part in child]
        elif child.tag in ("Expression", "Failure", "Exception", "FatalErrorCondition"):
            if child.get("success") != "true":
                lines += [_where(child, sections), *_assertion(child), *notes]
            notes = []
    return lines


def _assertion(element: ElementTree.Element) -> list[str]:
    if element.tag != "Expression":
        return [f"  {element.tag}: {(element.text or '').strip()}"]
    lines = [f"  {element.get('type')}( {_text(element, 'Original')} )",
             f"  with expansion: {_text(element, 'Expanded')}"]
    lines += [f"  {inner.tag}: {(inner.text or '').strip()}" for inner in element
              if inner.tag in ("Exception", "FatalErrorCondition")]
    return lines


def _where(element: ElementTree.Element, sections: list[str]) -> str:
    place = f"{element.get('filename', '?')}:{element.get('line', '?')}"
    return f"{place}: in section {' / '.join(sections)}" if sections else place


def _text(element: ElementTree.Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()
