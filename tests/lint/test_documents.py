"""The targets of links in documents exist."""

import re
from pathlib import Path

from .check import Check
from .tree import ROOT, files

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def broken(document: Path, text: str, root: Path) -> list[str]:
    """The relative links of `text` whose file does not exist."""
    found = []
    for target in LINK.findall(CODE.sub("", text)):
        path = target.split("#")[0]
        if not path or re.match(r"[a-z]+:", target):
            continue
        if not (root / document.parent / path).exists():
            found.append(f"{document}: {target}")
    return found


class Links(Check):
    def test_relative_links_resolve(self) -> None:
        documents = [file for file in files() if file.suffix == ".md"]
        self.assertTrue(documents)
        wrong = [line for document in documents
                 for line in broken(document, (ROOT / document).read_text(encoding="utf-8"), ROOT)]
        self.assert_none(wrong)

    def test_a_broken_link_is_found(self) -> None:
        text = "[a](missing.md#x) [b](https://example.com) `[c](not/a/link)` [d](#here)"
        self.assertEqual(broken(Path("docs/a.md"), text, ROOT), ["docs/a.md: missing.md#x"])
