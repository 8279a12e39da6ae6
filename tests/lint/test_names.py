"""The repository has no meaningless names and no texts that belong to one machine."""

import re

from .check import Check
from .tree import ROOT, files

EMPTY_NAMES = {"util", "utils", "helper", "helpers", "common", "manager", "misc"}

# Written so that this file does not match.
OF_ONE_MACHINE = {
    "a path of one machine": r"(?<![\w.-])/(work|home)[/]\w",
    "a registry's host": r"(deb[.]debian[.]org|security[.]debian[.]org|pypi[.]org"
                         r"|files[.]pythonhosted[.]org|proxy[.]golang[.]org|sum[.]golang[.]org"
                         r"|\w[.]pkg[.]dev)",
}


class Names(Check):
    def test_no_file_or_folder_has_a_name_that_says_nothing(self) -> None:
        wrong = [str(file) for file in files()
                 if EMPTY_NAMES & set(re.split(r"[._/-]", str(file).lower()))]
        self.assert_none(wrong)

    def test_no_text_belongs_to_one_machine(self) -> None:
        patterns = {"this working tree's path": re.escape(f"{ROOT}/"), **OF_ONE_MACHINE}
        wrong = []
        for file in files():
            if file.name in ("go.sum", "go.mod"):
                continue
            text = (ROOT / file).read_text(encoding="utf-8", errors="replace")
            for what, pattern in patterns.items():
                for match in re.finditer(pattern, text):
                    line = text.count("\n", 0, match.start()) + 1
                    wrong.append(f"{file}:{line}: {what}: {match[0]}")
        self.assert_none(wrong)
