"""`./dev evidence`: which test or bench figure shows which rule, and for which none does."""

from __future__ import annotations

import argparse

from tests.lint import evidence, known_names, rules

from . import packages
from .paths import ROOT
from .progress import Progress


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "evidence",
        help="check docs/evidence.md: what shows each rule",
        description=f"Prints what is wrong with {evidence.DOCUMENT}: rules without a row or not "
        "shown yet, rows without a rule, names that neither `./dev test --list` nor the bench knows.",
    )
    parser.add_argument("--write", action="store_true",
                        help="first take in rules that are new and cases that cite a rule in "
                        "brackets, and drop names that are gone")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    packages.ensure("base", "build")
    known, all_rules = known_names.read(progress), rules.read()
    document = ROOT / evidence.DOCUMENT
    text = document.read_text(encoding="utf-8")
    if arguments.write:
        text = evidence.proposed(text, all_rules, known)
        document.write_text(text, encoding="utf-8")
    found = evidence.findings(evidence.parse(text), all_rules, known)
    for line in found:
        print(line)
    print(f"{len(found)} findings", flush=True)
    return 0 if not found else 1
