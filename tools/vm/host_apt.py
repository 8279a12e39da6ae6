"""How the host's apt gets Debian's packages, for making a Debian root the same way."""

import subprocess

from .entry import BuildError


def settings() -> str:
    """How it fetches (proxies, certificates, checks of dates), as apt.conf lines."""
    lines = _output("apt-config", "dump").splitlines()
    return "".join(line + "\n" for line in lines if line.startswith("Acquire::"))


def sources(suite: str) -> str:
    """Its sources of this Debian release as sources.list lines; empty when it has none."""
    wanted = "$(ORIGIN) $(CODENAME) deb $(REPO_URI) $(RELEASE) $(COMPONENT)"
    lines: list[str] = []
    targets = _output("apt-get", "indextargets", "--format", wanted, "Created-By: Packages")
    for target in targets.splitlines():
        origin, codename, source = target.split(" ", 2)
        if origin == "Debian" and codename.split("-")[0] == suite and source not in lines:
            lines.append(source)
    return "".join(line + "\n" for line in lines)


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        raise BuildError(f"{command[0]} is missing: the VM is made on a Debian host") from None
    except subprocess.CalledProcessError as error:
        raise BuildError(f"{' '.join(command)} failed: {error.stderr.strip()}") from None
