"""Libraries by the names that docs/modules.md uses: their headers and shared objects."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    name: str
    meson: str
    """The variable in the root's meson.build."""
    headers: str
    """Matches the complete text between the brackets or quotes of an #include."""
    objects: str
    """Matches the complete name of a shared object up to `.so`; "" for header-only libraries."""


LIBRARIES = (
    Library("fmt", "fmt_dep", r"fmt/.+", r"libfmt"),
    Library("yaml-cpp", "yaml_dep", r"yaml-cpp/.+", r"libyaml-cpp"),
    Library("protobuf", "protobuf_dep", r"google/protobuf/.+|(?!.*\.grpc\.pb\.h).+\.pb\.h", r"libprotobuf"),
    Library("gRPC", "grpc_dep", r"grpc(pp)?/.+|.+\.grpc\.pb\.h", r"lib(grpc|gpr|absl_|address_sorting|upb).*"),
    Library("liblvm2cmd", "lvm2cmd_dep", r"lvm2cmd\.h", r"liblvm2cmd"),
    Library("libdevmapper", "libdevmapper_dep", r"libdevmapper(-event)?\.h", r"libdevmapper(-event)?"),
    Library("libblkid", "libblkid_dep", r"blkid/blkid\.h", r"libblkid"),
    Library("libmount", "libmount_dep", r"libmount/libmount\.h", r"libmount"),
    Library("libsystemd", "systemd_dep", r"systemd/sd-.+\.h", r"libsystemd"),
    Library("libseccomp", "seccomp_dep", r"seccomp\.h", r"libseccomp"),
    Library("libcrypto", "crypto_dep", r"openssl/.+", r"libcrypto"),
    Library("libcurl", "curl_dep", r"curl/.+", r"libcurl"),
    Library("nlohmann-json", "json_dep", r"nlohmann/.+", r""),
    Library("CLI11", "cli_dep", r"CLI/.+", r""),
    Library("prometheus-cpp", "prometheus_dep", r"prometheus/.+", r"libprometheus-cpp-.+"),
)

_KERNEL_AND_LIBC = re.compile(
    r"(sys|linux|net|netinet|arpa|bits|asm)/.+\.h"
    r"|(dirent|dlfcn|endian|err|errno|fcntl|fnmatch|getopt|grp|limits|malloc|mntent|netdb|poll"
    r"|pthread|pwd|sched|signal|spawn|stdlib|string|syslog|termios|time|unistd|utmpx)\.h"
)
_RUNTIME = re.compile(r"lib(c|m|stdc\+\+|gcc_s|pthread|dl|rt)|ld-linux.*")


def by_name(name: str) -> Library | None:
    return next((library for library in LIBRARIES if library.name == name), None)


def of_header(header: str) -> str | None:
    """The library of a header; "" for the standard library, libc and the kernel; None if unknown.
    `header` must not be one of the repository."""
    if re.fullmatch(r"[a-z_0-9]+", header) or _KERNEL_AND_LIBC.fullmatch(header):
        return ""
    return next((lib.name for lib in LIBRARIES if re.fullmatch(lib.headers, header)), None)


def of_object(soname: str) -> str | None:
    """The library of a shared object (`libfmt.so.9`); "" for the run time of the language; None if
    unknown."""
    stem = re.split(r"[-.]?\d*\.so", soname)[0]
    if _RUNTIME.fullmatch(stem):
        return ""
    return next(
        (lib.name for lib in LIBRARIES if lib.objects and re.fullmatch(lib.objects, stem)), None
    )
