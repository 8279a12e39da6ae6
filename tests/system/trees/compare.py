"""Compares two trees of files by the kernel's information about every file in them.

    python3 compare.py [--without KIND]... LEFT RIGHT
    python3 compare.py [--without KIND]... LEFT

The first command prints a line for each difference, and its exit code is 1 if there is one. The
second prints the compared properties, a line for each name, for the comparison with a tree on
another machine. The comparison is independent of the program that made RIGHT from LEFT. It compares
the names of the files and, of each file, the kind, mode, owner, group, time of modification in ns,
size and content, a symlink's target, a device's numbers, all extended attributes (including ACLs
and capabilities), which names are one file, and, roughly, holes. It also compares the given folders
themselves, except the files that mke2fs creates there.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import stat
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

ROOT = b"."
# mke2fs creates it in each file system. It contains no user data.
_NOT_OF_THE_TREE = b"lost+found"
_PIECE = 64 << 10
# A hole may be filled at its edges, because programs store files in pieces.
_EDGE_BYTES = 16 << 20
_KINDS = {
    stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "symlink", stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket", stat.S_IFCHR: "character device", stat.S_IFBLK: "block device",
}


@dataclass(frozen=True)
class Entry:
    """One name in a tree. Fields that its kind does not have are empty or 0."""

    kind: str
    mode: int
    uid: int = 0
    gid: int = 0
    mtime_ns: int = 0
    size: int = 0
    content: str = ""
    target: bytes = b""
    device: tuple[int, int] = (0, 0)
    attributes: Mapping[str, bytes] = field(default_factory=dict)
    names: frozenset[bytes] = frozenset()
    """All names of this file in the tree, if there are several."""
    allocated: int = 0
    islands: int = 0
    """The number of pieces of data between holes."""


Tree = Mapping[bytes, Entry]


def walk(root: Path, without: Collection[str] = ()) -> dict[bytes, Entry]:
    """Every name below `root`, and `root` itself. Omits the kinds in `without`."""
    paths = [(name, path) for name, path in _names(os.fsencode(root))
             if _kind(os.lstat(path)) not in without]
    same: dict[tuple[int, int], set[bytes]] = {}
    for name, path in paths:
        found = os.lstat(path)
        if not stat.S_ISDIR(found.st_mode):
            same.setdefault((found.st_dev, found.st_ino), set()).add(name)
    return {name: _entry(path, same) for name, path in paths}


def differences(left: Tree, right: Tree) -> list[str]:
    """One line for each difference, sorted by name; empty if the trees are the same."""
    found = []
    for name in sorted(left.keys() | right.keys()):
        shown = repr(name)[1:]
        if name not in right:
            found.append(f"{shown}: missing")
        elif name not in left:
            found.append(f"{shown}: too much")
        else:
            found += [f"{shown}: {line}" for line in _between(left[name], right[name])]
    return found


def listed(tree: Tree) -> list[str]:
    """A line for each name, sorted: the same for two equal trees. Without holes, which are never
    exactly the same."""
    exact = [each.name for each in fields(Entry) if each.name not in ("allocated", "islands")]
    return [" ".join([repr(name)[1:], *(f"{field}={_exactly(getattr(tree[name], field))}"
                                        for field in exact)]) for name in sorted(tree)]


def _exactly(value: object) -> str:
    if isinstance(value, Mapping):
        return repr(sorted(value.items()))
    return repr(sorted(value)) if isinstance(value, frozenset) else repr(value)


def _between(left: Entry, right: Entry) -> Iterator[str]:
    if left.kind != right.kind:
        yield f"a {right.kind}, not a {left.kind}"
        return
    for each in fields(Entry):
        if each.name in ("kind", "attributes", "allocated", "islands"):
            continue
        wanted, got = getattr(left, each.name), getattr(right, each.name)
        if wanted != got:
            yield f"{each.name} is {_shown(each.name, got)}, not {_shown(each.name, wanted)}"
    for name in sorted(left.attributes.keys() | right.attributes.keys()):
        wanted, got = left.attributes.get(name), right.attributes.get(name)
        if wanted != got:
            yield f"attribute {name} is {got!r}, not {wanted!r}"
    most = left.allocated + _EDGE_BYTES * (left.islands + 1)
    if right.allocated > most:
        yield f"{right.allocated} bytes are allocated, not {left.allocated}: holes are filled"


def _shown(name: str, value: object) -> str:
    if name == "mode" and isinstance(value, int):
        return f"{value:04o}"
    if isinstance(value, frozenset):
        return "that of " + (", ".join(repr(each)[1:] for each in sorted(value)) or "none")
    return str(value)


def _names(root: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each name, relative and as a path."""
    yield ROOT, root
    folders = [(b"", root)]
    while folders:
        prefix, folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if not prefix and entry.name == _NOT_OF_THE_TREE:
                    continue
                yield prefix + entry.name, entry.path
                if entry.is_dir(follow_symlinks=False):
                    folders.append((prefix + entry.name + b"/", entry.path))


def _kind(found: os.stat_result) -> str:
    return _KINDS[stat.S_IFMT(found.st_mode)]


def _entry(path: bytes, same: Mapping[tuple[int, int], set[bytes]]) -> Entry:
    found = os.lstat(path)
    kind = _kind(found)
    names = same.get((found.st_dev, found.st_ino), set())
    size, content, islands = 0, "", 0
    if kind == "file":
        size = found.st_size
        content, islands = _content(path)
    return Entry(
        kind=kind, mode=stat.S_IMODE(found.st_mode), uid=found.st_uid, gid=found.st_gid,
        mtime_ns=found.st_mtime_ns, size=size, content=content,
        target=os.readlink(path) if kind == "symlink" else b"",
        device=((os.major(found.st_rdev), os.minor(found.st_rdev))
                if kind.endswith("device") else (0, 0)),
        attributes={name: os.getxattr(path, name, follow_symlinks=False)
                    for name in os.listxattr(path, follow_symlinks=False)},
        names=frozenset(names) if len(names) > 1 else frozenset(),
        allocated=found.st_blocks * 512 if kind == "file" else 0, islands=islands)


def _content(path: bytes) -> tuple[str, int]:
    """A hash of the data that is not zero and its positions. So a hole and written zeros give the
    same hash, and gigabytes of holes are fast. Also returns the number of islands."""
    digest = hashlib.sha256()
    islands = 0
    with open(path, "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        place = done = 0
        while place < size:
            try:
                begin = os.lseek(file.fileno(), place, os.SEEK_DATA)
            except OSError:  # only a hole up to the end
                break
            place = os.lseek(file.fileno(), begin, os.SEEK_HOLE)
            islands += 1
            # On a fixed grid, because the file system chooses the ends of islands.
            for offset in range(max(begin - begin % _PIECE, done), place, _PIECE):
                data = os.pread(file.fileno(), _PIECE, offset)
                if data.count(0) != len(data):
                    digest.update(offset.to_bytes(8, "little") + data)
                done = offset + _PIECE
            place = max(place, begin + 1)
    return digest.hexdigest(), islands


def main() -> int:
    parser = argparse.ArgumentParser(description="Print how two trees of files differ, or what one is.")
    parser.add_argument("left", type=Path)
    parser.add_argument("right", type=Path, nargs="?")
    parser.add_argument("--without", action="append", default=[], metavar="KIND",
                        choices=sorted(_KINDS.values()), help="leave out files of this kind")
    arguments = parser.parse_args()
    left = walk(arguments.left, arguments.without)
    if arguments.right is None:
        print("\n".join(listed(left)))
        return 0
    right = walk(arguments.right, arguments.without)
    found = differences(left, right)
    print("\n".join(found) if found else f"the same: {len(left)} names")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
