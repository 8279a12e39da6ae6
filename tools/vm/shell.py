"""Runs a shell in the VM on the terminal of this process."""

import os
import sys
import termios
import tty

from .agent import Agent, Terminal


def interactive_shell(agent: Agent) -> int:
    """Waits until the shell ends and returns its exit code. If stdin is not a terminal, the shell
    reads it as a script."""
    if not sys.stdin.isatty():
        return agent.run(
            ["/bin/bash"], timeout=None, data=sys.stdin.buffer.read(), on_output=_write
        ).exit_code
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    tty.setraw(fd)
    try:
        return agent.run(
            ["/bin/bash", "-l"], timeout=None, on_output=_write, terminal=Terminal(fd)
        ).exit_code
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(sys.stdout.fileno(), data) :]
