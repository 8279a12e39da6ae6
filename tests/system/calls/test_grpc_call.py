"""Parses output of grpcurl."""

import unittest

from .grpc_call import CallError, answer

ERROR = """\
{
  "code": 9,
  "message": "volume data is mounted at /run/lvmd/mounts/data",
  "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "VOLUME_IN_USE"}]
}
"""


class Answers(unittest.TestCase):
    def test_a_call(self) -> None:
        given = answer(0, '{\n  "phase": "PHASE_RUNNING"\n}\n')
        self.assertTrue(given.ok)
        self.assertEqual(given.response, {"phase": "PHASE_RUNNING"})

    def test_a_stream(self) -> None:
        given = answer(0, '{"phase": "PHASE_RUNNING"}\n{"phase": "PHASE_FAILED"}\n')
        self.assertEqual([each["phase"] for each in given.messages],
                         ["PHASE_RUNNING", "PHASE_FAILED"])

    def test_an_empty_answer(self) -> None:
        self.assertEqual(answer(0, "{}").response, {})

    def test_an_error_has_its_code_and_message(self) -> None:
        given = answer(73, ERROR)
        self.assertEqual((given.code, given.message),
                         ("FAILED_PRECONDITION", "volume data is mounted at /run/lvmd/mounts/data"))
        self.assertFalse(given.ok)

    def test_a_stream_that_fails_has_what_came_before(self) -> None:
        given = answer(78, '{"phase": "PHASE_RUNNING"}\n{"code": 14, "message": "lvmd is stopping"}')
        self.assertEqual((str(given), len(given.messages)), ("UNAVAILABLE: lvmd is stopping", 1))

    def test_no_call_at_all_is_an_error(self) -> None:
        for code, output in ((1, "Failed to dial"), (2, "no such method"), (124, ""), (0, "oops")):
            with self.subTest(code), self.assertRaisesRegex(CallError, output):
                answer(code, output)


if __name__ == "__main__":
    unittest.main()
