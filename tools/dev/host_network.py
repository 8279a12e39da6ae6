"""How this host reaches the network, given to a fresh Debian root: apt sources, certificates,
name server, proxy and registry settings. Nothing else of the host gets in."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

_VARIABLE = re.compile(
    r"(?i:(https?|ftp|all|no)_proxy)"
    r"|PIP_(?!TARGET|PREFIX|USER)\w+"
    r"|GO(PROXY|SUMDB|NOSUMDB|NOPROXY|PRIVATE|INSECURE|FLAGS|TOOLCHAIN|AUTH)"
    r"|(SSL_CERT|CURL_CA|REQUESTS_CA|GIT_SSL|NODE_EXTRA_CA)\w*"
)


def variables(environ: Mapping[str, str], root: Path) -> dict[str, str]:
    """The variables that say how to reach the network. One that names an absolute path which does
    not exist in `root` is left out."""
    chosen = {}
    for name, value in environ.items():
        if not _VARIABLE.fullmatch(name):
            continue
        if value.startswith("/") and not (root / value.lstrip("/")).exists():
            continue
        chosen[name] = value
    return chosen


def debian_sources(suite: str, apt: Path = Path("/etc/apt")) -> str:
    """The host's apt sources for `suite` and its updates, one `deb` line each; "" when it has none.

    Other sources of the host (third-party repositories, other suites) are left out.
    """
    lines: list[str] = []
    files = [apt / "sources.list", *sorted((apt / "sources.list.d").glob("*"))]
    for path in files:
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".sources":
            lines += _from_deb822(text, suite)
        elif path.suffix == ".list":
            lines += _from_one_line(text, suite)
    return "".join(line + "\n" for line in lines)


def _is_of(suite: str, name: str) -> bool:
    return name.rstrip("/") in (suite, f"{suite}-updates", f"{suite}-security", f"{suite}/updates")


def _from_one_line(text: str, suite: str) -> list[str]:
    found = []
    for line in text.splitlines():
        match = re.match(r"deb\s+(\[[^]]*\]\s+)?(\S+)\s+(\S+)\s+(.+)", line.strip())
        if match and _is_of(suite, match[3]):
            found.append(f"deb {match[2]} {match[3]} {match[4].split('#')[0].strip()}")
    return found


def _from_deb822(text: str, suite: str) -> list[str]:
    found = []
    for stanza in re.split(r"\n\s*\n", text):
        fields = {
            match[1].lower(): match[2].split()
            for match in re.finditer(r"(?m)^([A-Za-z-]+):[ \t]*(.*(?:\n[ \t].*)*)$", stanza)
        }
        if "deb" not in fields.get("types", []) or fields.get("enabled") == ["no"]:
            continue
        components = " ".join(fields.get("components", []))
        for uri in fields.get("uris", []):
            for name in fields.get("suites", []):
                if _is_of(suite, name):
                    found.append(f"deb {uri} {name} {components}")
    return found


def apt_options() -> str:
    """The host's effective `Acquire::` options (proxy, retries, …) as an apt.conf file."""
    dump = subprocess.run(
        ["apt-config", "dump", "--format", '%F "%v";%n', "Acquire"],
        check=True, capture_output=True, text=True,
    ).stdout
    return "".join(line + "\n" for line in dump.splitlines() if not line.endswith('"";'))


def copy_into(root: Path, suite: str) -> None:
    """Writes the host's network configuration into the Debian root at `root`."""
    sources = debian_sources(suite)
    if sources:
        (root / "etc/apt/sources.list").write_text(sources, encoding="utf-8")
    (root / "etc/apt/apt.conf.d/90host").write_text(apt_options(), encoding="utf-8")
    for name in (
        "etc/resolv.conf",
        "etc/hosts",
        "etc/pip.conf",
        "etc/apt/auth.conf",
        "etc/apt/auth.conf.d",
        "usr/local/share/ca-certificates",
        "etc/ssl/certs/ca-certificates.crt",
    ):
        _copy(Path("/") / name, root / name)
    home = Path(os.path.expanduser("~"))
    for name in (".config/go/env", ".config/pip/pip.conf"):
        _copy(home / name, root / "root" / name)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    elif source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink():
            target.unlink()
        shutil.copyfile(source, target)
