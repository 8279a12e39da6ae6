"""Shows the output of `grpcurl … TransferService/Watch` on standard input as a bar. The exit code
is 0 if the transfer has succeeded."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, TextIO

_WIDTH = 40


def messages(lines: TextIO) -> Iterator[dict[str, Any]]:
    """grpcurl prints the first and the last brace of each message on separate lines."""
    text = ""
    for line in lines:
        text += line
        if line.rstrip("\n") == "}":
            yield json.loads(text)
            text = ""


def bar(transfer: dict[str, Any]) -> str:
    progress = transfer.get("progress") or {}
    total, done = (int(progress.get(key, 0)) for key in ("total_bytes", "done_bytes"))
    share = min(done / total, 1.0) if total else 0.0
    filled = round(share * _WIDTH)
    files = f", {int(progress.get('done_files', 0))} files" if "done_files" in progress else ""
    step = transfer["step"] or ("waiting" if transfer["phase"] == "PHASE_PENDING" else "done")
    return (f"{step:10} [{'█' * filled}{'·' * (_WIDTH - filled)}] "
            + (f"{share * 100:3.0f} %  {done / 1e6:.0f} of {total / 1e6:.0f} MB" if total
               else f"{done / 1e6:.0f} MB") + files)


def main() -> int:
    transfer: dict[str, Any] = {}
    for transfer in messages(sys.stdin):
        print(f"\r{bar(transfer):100}", end="", flush=True)
    print()
    if not transfer:
        print("nothing is known of this transfer", file=sys.stderr)
        return 1
    error = transfer.get("error") or {}
    phase = transfer["phase"].removeprefix("PHASE_").lower()
    print(f"{phase}" + (f": {error['message']}" if error.get("message") else ""))
    return 0 if phase == "succeeded" else 1


if __name__ == "__main__":
    sys.exit(main())
