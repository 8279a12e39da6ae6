"""The names of everything that can show a rule: test cases and bench figures."""

from __future__ import annotations

from tools.bench.figures import FIGURES
from tools.dev.progress import Progress
from tools.dev.suites import ALL


def read(progress: Progress) -> list[str]:
    """As `./dev test --list` prints them, then the figures as `bench NAME: FIGURE`."""
    cases = [f"{suite.name}: {name}" for suite in ALL for name in suite.list_cases(progress)]
    return cases + [f"bench {bench}: {figure}" for bench, figures in FIGURES.items()
                    for figure in figures]
