"""Makes an image from an installed program, with exactly the files that it needs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from . import debian, libraries, oci, sbom
from .errors import ImageError
from .tree import File, Tree

PROGRAMS = ("lvmd-reconciler", "csi-controller")
"""The programs that have an image each. A program's image has its name."""
USER = 65532
MAX_BYTES = 40_000_000
_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
_OWN_FILES = Path(__file__).resolve().parents[2] / "packaging/container/etc"
# Header-only libraries. They are in both programs, and ldd does not list them.
_COMPILED_IN = ("libcli11-dev", "nlohmann-json3-dev")


@dataclass(frozen=True)
class Image:
    archive: Path
    sbom: Path
    name: str
    digest: str
    size: int
    """The size of its files in bytes, not compressed."""


def build_image(installed: Path, program: str, output: Path) -> Image:
    """Makes the image of `program`, one of PROGRAMS, from `installed` (made by `meson install
    --destdir` for this host) in the folder `output`, and its list of contents. Raises ImageError.

    The same program and the same Debian packages give the same bytes.
    """
    path = f"/usr/bin/{program}"
    executable = installed / path.lstrip("/")
    version = _version(executable)
    tree = contents(executable, path)
    if tree.size > MAX_BYTES:
        raise ImageError(f"the image of {program} has {tree.size} bytes of files; "
                         f"at most {MAX_BYTES} are wanted")
    time = _time()
    architecture = debian.described("libc6").architecture
    name = f"localhost/{program}:{version}"
    archive, digest = oci.archive(tree.tar(time), oci.Description(
        name=name, architecture=architecture, time=time, config={
            "User": f"{USER}:{USER}",
            "Entrypoint": [path],
            "Env": ["PATH=/usr/bin"],
            "WorkingDir": "/",
            "Labels": {"org.opencontainers.image.title": program,
                       "org.opencontainers.image.version": version,
                       "org.opencontainers.image.licenses": "Apache-2.0"},
        }))
    used = sorted({file.package for file in tree.files.values() if file.package})
    listing = sbom.document(program, version, digest, time, tree,
                            [debian.described(package) for package in used],
                            [debian.described(package) for package in _COMPILED_IN])
    stem = f"{program}-{version}-{architecture}"
    made = Image(output / f"{stem}.oci.tar", output / f"{stem}.spdx.json", name, digest, tree.size)
    output.mkdir(parents=True, exist_ok=True)
    _replace(made.archive, archive)
    _replace(made.sbom, listing.encode())
    return made


def contents(program: Path, path: str) -> Tree:
    """All files of the image, with `program` at `path`."""
    tree = Tree()
    tree.add(path, File(program.read_bytes(), 0o755))
    for library, package in debian.owners(libraries.needed(program)).items():
        # By the requested name, without the links to it. The linker's path is fixed.
        folder = "" if library.parent == Path("/lib64") else "/usr"
        tree.add(folder + str(library).removeprefix("/usr"),
                 File(library.read_bytes(), 0o755, package))
    tree.add(_CERTIFICATES, File(_certificates(), 0o644, "ca-certificates"))
    for file in sorted(_OWN_FILES.iterdir()):
        tree.add(f"/etc/{file.name}", File(file.read_bytes(), 0o644))
    return tree


def _certificates() -> bytes:
    """The certificates of the package, not this host's bundle, which may contain others."""
    found = [path for path in sorted(debian.files("ca-certificates")) if path.suffix == ".crt"]
    if not found:
        raise ImageError("the Debian package ca-certificates has no certificates")
    return b"".join(path.read_bytes().rstrip(b"\n") + b"\n" for path in found)


def _version(program: Path) -> str:
    said = debian.run([program, "--version"])
    if said is None:
        raise ImageError(f"{program} --version failed: it has to be built, for this host")
    return said.split()[-1]


def _time() -> int:
    text = os.environ.get("SOURCE_DATE_EPOCH", "0")
    if not text.isdigit():
        raise ImageError(f"SOURCE_DATE_EPOCH is '{text}': it has to be a number of seconds since 1970")
    return int(text)


def _replace(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(path)
