"""The files that belong to the repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSTALL_TREE = ROOT / ".cache" / "install"
"""The installed files. `./dev` makes them before the suite runs."""

CPP = (".cpp", ".hpp")


def files(root: Path = ROOT) -> list[Path]:
    """All files that git tracks or would add, relative to `root`, sorted."""
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True,
    ).stdout
    names = {Path(name) for name in listed.split("\0") if name}
    return sorted(name for name in names if (root / name).is_file())
