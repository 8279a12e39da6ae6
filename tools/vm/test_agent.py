"""Both sides of the agent, without a VM: the guest's side runs on a socket pair."""

import os
import pty
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

from .agent import Agent, AgentError, Terminal

GUEST_SIDE = (
    "import sys, agent; agent.ENVIRONMENT['HOME'] = '/'; agent.serve(agent.Port(int(sys.argv[1])))"
)


class AgentTest(unittest.TestCase):
    def setUp(self) -> None:
        host, guest = socket.socketpair()
        self.addCleanup(host.close)
        with guest:
            self.process = subprocess.Popen(
                [sys.executable, "-c", GUEST_SIDE, str(guest.fileno())],
                pass_fds=(guest.fileno(),),
                cwd=Path(__file__).parent / "guest",
            )
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.agent = Agent(host)
        self.agent.wait_for_start(20)

    def bash(self, script: str, timeout: float | None = 20, **options):
        return self.agent.run(["/bin/bash", "-c", script], timeout=timeout, **options)

    def test_exit_code_and_merged_output_in_order(self) -> None:
        completed = self.bash("echo one; echo two >&2; echo three; exit 7")
        self.assertEqual((completed.exit_code, completed.output), (7, "one\ntwo\nthree\n"))

    def test_killed_by_a_signal(self) -> None:
        self.assertEqual(self.bash("kill -9 $$").exit_code, 137)

    def test_a_program_that_is_not_there(self) -> None:
        completed = self.agent.run(["no-such-program"], timeout=5)
        self.assertEqual(completed.exit_code, 127)
        self.assertIn("no-such-program", completed.output)

    def test_large_binary_input_comes_back_unchanged(self) -> None:
        data = os.urandom(3 << 20)
        self.assertEqual(self.agent.run(["cat"], timeout=20, data=data).data, data)

    def test_input_that_nobody_reads(self) -> None:
        self.assertEqual(self.bash("exec <&-; sleep 0.2", data=bytes(1 << 20)).exit_code, 0)
        self.assertEqual(self.bash("true", data=bytes(1 << 20)).exit_code, 0)
        self.assertEqual(self.bash("echo still here").output, "still here\n")

    def test_without_data_the_input_is_empty(self) -> None:
        self.assertEqual(self.agent.run(["cat"], timeout=5).data, b"")

    def test_output_comes_while_the_command_runs(self) -> None:
        arrivals: list[tuple[bytes, float]] = []
        self.bash(
            "echo early; sleep 1; echo late",
            on_output=lambda data: arrivals.append((data, time.monotonic())),
        )
        self.assertEqual([data for data, _ in arrivals], [b"early\n", b"late\n"])
        self.assertGreater(arrivals[1][1] - arrivals[0][1], 0.8)

    def test_time_runs_out_and_the_agent_stays_usable(self) -> None:
        for stubborn in ("", "trap '' TERM; "):
            completed = self.bash(stubborn + "echo begun; while :; do sleep 1; done", timeout=0.5)
            self.assertEqual((completed.exit_code, completed.timed_out), (124, True))
            self.assertTrue(completed.output.startswith("begun\n"))
        self.assertEqual(self.bash("echo next").output, "next\n")

    def test_a_process_left_behind_does_not_hold_up_the_end(self) -> None:
        start = time.monotonic()
        completed = self.bash("sleep 5 & echo done")
        self.assertEqual((completed.exit_code, completed.output), (0, "done\n"))
        self.assertLess(time.monotonic() - start, 3)

    def test_frames_of_another_kind_in_the_output_are_only_output(self) -> None:
        self.assertEqual(self.bash(r"printf 'x\0\0\0\2{}H\0\0\0\0'").data, b"x\0\0\0\2{}H\0\0\0\0")

    def test_a_terminal(self) -> None:
        outer, inner = pty.openpty()
        self.addCleanup(os.close, outer)
        self.addCleanup(os.close, inner)
        os.write(outer, b"exit 3\n")
        completed = self.agent.run(
            ["/bin/bash", "-c", "tty; stty size; read line; $line"],
            timeout=20,
            terminal=Terminal(inner),
        )
        self.assertEqual(completed.exit_code, 3)
        self.assertIn("/dev/pts/", completed.output)
        self.assertIn("0 0", completed.output)

    def test_an_interrupted_command_makes_the_agent_unusable(self) -> None:
        def interrupt(_: bytes) -> None:
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.bash("echo x; sleep 1", on_output=interrupt)
        with self.assertRaises(AgentError):
            self.bash("true")

    def test_the_other_side_goes_away(self) -> None:
        self.process.kill()
        with self.assertRaises(AgentError):
            self.bash("true")


if __name__ == "__main__":
    unittest.main()
