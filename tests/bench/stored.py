"""The numbers that the benches leave in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .samples import BenchError


def read(folder: Path, name: str) -> dict[str, Any] | None:
    """The content of NAME.json; None where that bench has not run."""
    path = folder / f"{name}.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise BenchError(f"{path} is no JSON ({error}): delete it, or measure again") from error
    if not isinstance(content, dict) or "run" not in content:
        raise BenchError(f"{path} does not say how it was measured: measure again")
    return content
