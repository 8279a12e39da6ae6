"""Makes a tree of files that are hard to store, or a volume with data in odd places. Needs root.

    python3 odd.py tree FOLDER HOLE     in FOLDER, the root of a file system, with a hole of HOLE MiB
    python3 odd.py blocks DEVICE        on DEVICE, which is blank

The tree does not contain what restic does not store (docs/snapshots.md lists it), except a socket.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
from pathlib import Path

_USER, _GROUP = 4_000_000_001, 54_321
_PAST, _ROOT_PAST = 1_234_567_890_123_456_789, 987_654_321_987_654_321
_MIB = 1 << 20
# Bytes that resemble no signature of a volume.
_DATA = bytes(range(1, 252)) * 64


def make_tree(root: Path, hole: int) -> None:
    """Everything that a file system can contain and a copy may lose. The same tree at each call."""
    _sparse(root / "sparse", hole)
    _names(root)
    _links(root)
    _special(root)
    _attributes(root)
    _owners(root)
    for number in range(200):
        folder = root / "many" / f"{number % 7}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"file-{number}").write_bytes(_DATA[:number * 37])
    (root / "large").write_bytes(_DATA * 300 + bytes(_MIB) + _DATA)
    _times(root)
    _root_itself(root)


def make_blocks(device: Path) -> None:
    """The first and the last bytes, across the edges of blocks and MiBs, a run of some MiB, a
    single distant byte, and written zeros."""
    with device.open("r+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        for place, data in ((0, _DATA[:700]), (4095, b"\1\2"), (_MIB - 1, _DATA[:3]),
                            (3 * _MIB + 512, _DATA * 200), (size // 2 + 7, b"\xff"),
                            (size // 2 + 5 * _MIB, bytes(_MIB)), (size - 513, _DATA[:513])):
            file.seek(place)
            written = 0
            while written < len(data):
                written += file.write(data[written:])
        os.fsync(file.fileno())


def _sparse(path: Path, hole: int) -> None:
    """Data, a hole, data, and a hole up to the end."""
    with path.open("wb") as file:
        file.write(_DATA)
        file.seek(hole)
        file.write(_DATA)
        file.truncate(hole + 64 * _MIB)
    with (path.parent / "nothing but a hole").open("wb") as file:
        file.truncate(hole // 8)
    (path.parent / "zeros").write_bytes(bytes(3 * _MIB))
    (path.parent / "empty").touch()


def _names(root: Path) -> None:
    names = root / "names"
    names.mkdir()
    odd = [b"new\nline", b" ", b"-rf", b"no utf-8 \xff\xfe", "pre\u0301compose\u0301".encode(),
           "pr\u00e9compos\u00e9".encode(), "\u202eright to left".encode(), b"*", b"back\\slash",
           b"quote'\"", b"\x01\x7f", b"n" * 255, "\U0001f4be".encode() * 63, b"...", b"end "]
    for name in odd:
        Path(os.fsdecode(os.fsencode(names) + b"/" + name)).write_bytes(name)
    deep = names
    for letter in "abcd":
        deep = deep / (letter * 200)
        deep.mkdir()
    (deep / "at the end").write_text("deep")
    (root / "empty folders" / "in it").mkdir(parents=True)


def _links(root: Path) -> None:
    one, other = root / "links" / "one", root / "links" / "other"
    one.mkdir(parents=True)
    other.mkdir()
    (one / "file").write_bytes(_DATA)
    for link in (one / "same", other / "file", root / "far"):
        os.link(one / "file", link)
    for name, target in (("dangling", "no/such/file"), ("to itself", "to itself"),
                         ("absolute", "/etc/passwd"), ("up", "../../.."), ("folder", "../other"),
                         ("long", "x" * 1000), ("newline", "a\nb")):
        (one / name).symlink_to(target)


def _special(root: Path) -> None:
    special = root / "special"
    special.mkdir()
    os.mkfifo(special / "fifo", 0o620)
    os.mknod(special / "null", 0o20666, os.makedev(1, 3))
    os.mknod(special / "loop", 0o60640, os.makedev(7, 200))
    # Bound from there, because the address of a socket is short and the path may be long.
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.chdir(special)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("socket")
    finally:
        os.fchdir(here)
        os.close(here)


def _attributes(root: Path) -> None:
    folder = root / "attributes"
    folder.mkdir()
    (folder / "user").write_text("attributes")
    for name, value in (("user.empty", b""), ("user.binary", bytes(range(256))),
                        ("user.n\u00e4me", b"x"), ("user.long", b"v" * 2000),
                        ("trusted.of_root", b"t")):
        os.setxattr(folder / "user", name, value)
    (folder / "capable").write_text("capability")
    os.chown(folder / "capable", _USER, _GROUP)
    # cap_net_raw, permitted and effective. chown removes them.
    os.setxattr(folder / "capable", "security.capability",
                struct.pack("<IIIII", 0x02000001, 1 << 13, 0, 0, 0))
    (folder / "acl").write_text("for some")
    for name in ("system.posix_acl_access", "system.posix_acl_default"):
        os.setxattr(folder, name, _acl(7, 7))
    os.setxattr(folder / "acl", "system.posix_acl_access", _acl(6, 4))


def _acl(owner: int, others: int) -> bytes:
    """For the owner, two users, the owning group, a group, the mask, and others."""
    nobody = 0xFFFFFFFF
    entries = ((0x01, owner, nobody), (0x02, 4, 77), (0x02, others, _USER), (0x04, 4, nobody),
               (0x08, 5, 4242), (0x10, 7, nobody), (0x20, 0, nobody))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def _owners(root: Path) -> None:
    folder = root / "owners"
    folder.mkdir()
    for name, mode in (("setuid", 0o4755), ("setgid", 0o2711), ("sticky", 0o1644), ("none", 0o000),
                       ("all", 0o7777)):
        (folder / name).write_text(name)
        os.chown(folder / name, _USER, _GROUP)
        (folder / name).chmod(mode)
        (folder / f"{name} folder").mkdir()
        os.chown(folder / f"{name} folder", _GROUP, _USER)
        (folder / f"{name} folder").chmod(mode)
    (folder / "symlink").symlink_to("setuid")
    os.chown(folder / "symlink", _USER, _GROUP, follow_symlinks=False)


def _times(root: Path) -> None:
    """From the innermost names outwards, because creating a file in a folder changes the folder's
    time."""
    count = 0
    for folder, folders, files in os.walk(os.fsencode(root), topdown=False):
        for name in sorted(files) + sorted(folders):
            count += 1
            time = _PAST + count * 1_000_000_007
            os.utime(folder + b"/" + name, ns=(time, time), follow_symlinks=False)
    before_1970 = -1_000_000_001
    os.utime(root / "empty", ns=(before_1970, before_1970))


def _root_itself(root: Path) -> None:
    os.chown(root, _USER, _GROUP)
    root.chmod(0o2751)
    os.setxattr(root, "user.of_the_root", b"kept")
    os.utime(root, ns=(_ROOT_PAST, _ROOT_PAST))


if __name__ == "__main__":
    if sys.argv[1] == "tree":
        make_tree(Path(sys.argv[2]), int(sys.argv[3]) * _MIB)
    else:
        make_blocks(Path(sys.argv[2]))
