"""Reads from the sources which test cases and benchmark figures cite which rule.

A case cites the ids of rules in brackets: a Catch2 case in its name (`a negative size is refused
[P-SIZE-1]`), a Python case in its docstring. `[P-A-1, P-A-3..5]` cites four rules. The figures of
benchmarks are in `tools/bench/figures.py`. All fuzzers cite E-FUZZ-1.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tools.bench.figures import FIGURES, SHOWS

from .rules import Rule
from .tree import ROOT, files

_STRING = r'"(?:[^"\\]|\\.)*"'
_CATCH2 = re.compile(rf"\bTEST_CASE\(\s*((?:{_STRING}\s*)+)")
_FUZZER = re.compile(r"tests/fuzz/fuzz_(\w+)\.cpp")


def citations(root: Path = ROOT) -> dict[str, list[str]]:
    """The cases of each cited rule, as `FILE: CASE`, and its figures, as `./dev bench NAME:
    FIGURE`."""
    shown: dict[str, list[str]] = {}
    for file in files(root):
        if file.parts[0] not in ("tests", "tools"):
            continue
        fuzzer = _FUZZER.fullmatch(str(file))
        if fuzzer:
            shown.setdefault("E-FUZZ-1", []).append(f"{file}: fuzz {fuzzer[1]}")
        elif file.suffix in (".cpp", ".py"):
            text = (root / file).read_text(encoding="utf-8")
            for name, about in (catch2_cases if file.suffix == ".cpp" else python_cases)(text):
                for rule in sorted(cited(about)):
                    shown.setdefault(rule, []).append(f"{file}: {name}")
    for rule, figures in SHOWS.items():
        shown.setdefault(rule, []).extend(f"./dev bench {figure}" for figure in figures)
    return shown


def catch2_cases(text: str) -> Iterator[tuple[str, str]]:
    """The name of each case, and the text in which it may cite rules."""
    for strings in _CATCH2.findall(text):
        name = "".join(string[1:-1] for string in re.findall(_STRING, strings))
        yield name, name


def python_cases(text: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            for case in node.body:
                if isinstance(case, ast.FunctionDef) and case.name.startswith("test_"):
                    yield f"{node.name}.{case.name}", ast.get_docstring(case) or ""


def cited(text: str) -> set[str]:
    rules = set()
    for inside in re.findall(r"\[([^\]]*)\]", text):
        for kind, first, last in re.findall(r"\b([PREC]-[A-Z]+-)(\d+)(?:\.\.(\d+))?", inside):
            rules |= {f"{kind}{number}" for number in range(int(first), int(last or first) + 1)}
    return rules


def findings(rules: Sequence[Rule], shown: dict[str, list[str]]) -> list[str]:
    """The findings, one line each."""
    in_force = [rule.id for rule in rules if rule.in_force]
    return [f"{rule}: no test case and no figure cites it" for rule in in_force
            if rule not in shown] + [
        f"{rule}: no such rule is in force, but it is cited by {place}"
        for rule in sorted(shown.keys() - set(in_force)) for place in shown[rule]]


def unknown_figures(shows: Iterable[str] | None = None) -> list[str]:
    """The figures in SHOWS that no benchmark prints."""
    known = {f"{bench}: {figure}" for bench, figures in FIGURES.items() for figure in figures}
    named = {figure for figures in SHOWS.values() for figure in figures} if shows is None else shows
    return sorted(set(named) - known)
