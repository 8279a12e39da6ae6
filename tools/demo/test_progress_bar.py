"""The bar of `./dev demo snapshot`, from output of grpcurl."""

import contextlib
import io
import unittest
from unittest import mock

from . import progress_bar

STREAM = """\
{
  "phase": "PHASE_RUNNING",
  "step": "copying",
  "progress": {
    "total_bytes": "200000000",
    "done_bytes": "50000000",
    "done_files": "3"
  },
  "error": null
}
{
  "phase": "PHASE_%s",
  "step": "",
  "progress": null,
  "error": %s
}
"""


class Bar(unittest.TestCase):
    def run_on(self, text: str) -> tuple[int, str]:
        shown = io.StringIO()
        with mock.patch("sys.stdin", io.StringIO(text)), contextlib.redirect_stdout(shown), \
                contextlib.redirect_stderr(shown):
            code = progress_bar.main()
        return code, shown.getvalue()

    def test_a_quarter_of_a_transfer_that_succeeds(self) -> None:
        code, shown = self.run_on(STREAM % ("SUCCEEDED", "null"))
        self.assertEqual(code, 0)
        self.assertIn("[" + "█" * 10 + "·" * 30 + "]  25 %  50 of 200 MB, 3 files", shown)
        self.assertTrue(shown.endswith("\nsucceeded\n"), shown)
        self.assertRegex(shown, r"\rdone +\[·+\] 0 MB +\n")

    def test_a_failure_is_told_and_is_a_failure(self) -> None:
        code, shown = self.run_on(STREAM % ("FAILED", '{"message": "wrong password"}'))
        self.assertEqual(code, 1)
        self.assertIn("failed: wrong password", shown)

    def test_no_message_is_a_failure(self) -> None:
        self.assertEqual(self.run_on("")[0], 1)


if __name__ == "__main__":
    unittest.main()
