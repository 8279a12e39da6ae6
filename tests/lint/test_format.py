"""The C++ files have the format of .clang-format."""

import subprocess

from .check import Check
from .tree import CPP, ROOT, files

PROGRAM = "clang-format-19"


class Format(Check):
    def test_clang_format_would_change_nothing(self) -> None:
        sources = [str(file) for file in files() if file.suffix in CPP]
        self.assertTrue(sources)
        done = subprocess.run([PROGRAM, "--dry-run", "-Werror", *sources], cwd=ROOT, check=False,
                              capture_output=True, text=True)
        wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if ": error:" in line})
        self.assert_none(wrong, f"to mend: git ls-files '*.cpp' '*.hpp' | xargs {PROGRAM} -i")
        self.assertEqual(done.returncode, 0, done.stderr)
