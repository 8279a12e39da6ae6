"""The commands in docs/kubernetes.md."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.e2e.kube import ControlPlane
from tools.dev import paths

_DOCUMENT = paths.ROOT / "docs/kubernetes.md"
_LIMIT_SECONDS = 120


def sections() -> dict[str, list[str]]:
    """The blocks of commands by their heading. Omits headings without blocks."""
    found: dict[str, list[str]] = {}
    for part in re.split(r"(?m)^## ", _DOCUMENT.read_text(encoding="utf-8"))[1:]:
        blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", part)
        if blocks:
            found[part.splitlines()[0]] = blocks
    return found


def run_block(plane: ControlPlane, block: str, folder: Path = paths.ROOT,
              **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a block unchanged as the cluster's administrator, with these variables of the shell, in
    a folder that has the manifests. The output has both streams."""
    kubectl = plane.kubectl_program
    environment = {**os.environ, "KUBECONFIG": str(plane.kubeconfig),
                   "PATH": f"{kubectl.parent}:{os.environ['PATH']}", **variables}
    return subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder,
                          env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=_LIMIT_SECONDS)
