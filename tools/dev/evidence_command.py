"""`./dev evidence` lists the test cases and benchmark figures of each rule."""

from __future__ import annotations

import argparse

from tests.lint import evidence, rules

from .progress import Progress


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "evidence",
        help="print the test cases and benchmark figures that show each rule",
        description="Reads from the sources the rules that each test case and figure cites. Prints "
        "the cases of each rule, then the findings: rules that are not cited, and citations of "
        "rules that do not exist. The exit code is 0 only without findings.",
    )
    parser.add_argument("rule", nargs="*", metavar="RULE", help="only these rules, such as P-SIZE-1")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    shown, all_rules = evidence.citations(), rules.read()
    for rule in (rule for rule in all_rules if rule.in_force):
        if not arguments.rule or rule.id in arguments.rule:
            print("\n  ".join([rule.id, *shown.get(rule.id, ())]))
    found = evidence.findings(all_rules, shown)
    print("\n".join([*found, f"{len(found)} findings"]), flush=True)
    return 1 if found else 0
