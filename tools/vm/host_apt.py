"""The host's settings of apt, for making a Debian root with the same settings."""

import subprocess

from .entry import BuildError


def settings() -> str:
    """The settings for downloads (proxies, certificates, checks of dates), as lines of apt.conf."""
    lines = _output("apt-config", "dump").splitlines()
    return "".join(line + "\n" for line in lines if line.startswith("Acquire::"))


def sources(suite: str) -> str:
    """The sources of this Debian release, as lines of sources.list; empty if there is none."""
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
