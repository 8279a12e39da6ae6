"""The layer, the archive, and the output of `ldd`, with small examples."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import unittest
from pathlib import Path

from . import libraries, oci
from .errors import ImageError
from .tree import File, Tree

DESCRIPTION = oci.Description(name="localhost/a:1", architecture="amd64", time=7,
                              config={"User": "65532:65532"})


def tree(*paths: str) -> Tree:
    made = Tree()
    for path in paths:
        made.add(path, File(path.encode(), 0o644))
    return made


class Layers(unittest.TestCase):
    def test_order_of_adding_means_nothing(self) -> None:
        self.assertEqual(tree("/a/b", "/c").tar(7), tree("/c", "/a/b").tar(7))

    def test_folders_come_before_what_is_in_them(self) -> None:
        with tarfile.open(fileobj=io.BytesIO(tree("/a/b/c", "/a-b").tar(7))) as archive:
            members = archive.getmembers()
        self.assertEqual([member.name for member in members], ["a", "a-b", "a/b", "a/b/c"])
        self.assertEqual({member.mtime for member in members}, {7})

    def test_a_relative_path_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            tree("a")


class Archives(unittest.TestCase):
    def test_each_digest_is_that_of_its_blob(self) -> None:
        layer = tree("/a").tar(7)
        data, digest = oci.archive(layer, DESCRIPTION)
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            files = {member.name: archive.extractfile(member).read()  # type: ignore[union-attr]
                     for member in archive.getmembers()}
        blobs = {name.rsplit("/", 1)[1]: content for name, content in files.items()
                 if name.startswith("blobs/")}
        for name, content in blobs.items():
            self.assertEqual(hashlib.sha256(content).hexdigest(), name)

        def blob(descriptor: dict) -> bytes:
            content = blobs[descriptor["digest"].removeprefix("sha256:")]
            self.assertEqual(len(content), descriptor["size"])
            return content

        [entry] = json.loads(files["index.json"])["manifests"]
        self.assertEqual(entry["digest"], digest)
        manifest = json.loads(blob(entry))
        config = json.loads(blob(manifest["config"]))
        [packed] = manifest["layers"]
        self.assertEqual(gzip.decompress(blob(packed)), layer)
        self.assertEqual(config["rootfs"]["diff_ids"],
                         [f"sha256:{hashlib.sha256(layer).hexdigest()}"])
        self.assertEqual(config["config"], DESCRIPTION.config)
        self.assertEqual(config["created"], "1970-01-01T00:00:07Z")

    def test_the_same_again(self) -> None:
        self.assertEqual(oci.archive(tree("/a").tar(7), DESCRIPTION),
                         oci.archive(tree("/a").tar(7), DESCRIPTION))


class Libraries(unittest.TestCase):
    def test_libraries_and_linker_are_found(self) -> None:
        said = ("\tlinux-vdso.so.1 (0x00007ffd6b5f2000)\n"
                "\tlibfmt.so.9 => /lib/x/libfmt.so.9 (0x00007f1)\n"
                "\t/lib64/ld-linux-x86-64.so.2 (0x00007f2)\n")
        self.assertEqual(libraries.parse(said, "a"),
                         [Path("/lib/x/libfmt.so.9"), Path("/lib64/ld-linux-x86-64.so.2")])

    def test_a_missing_library_is_named(self) -> None:
        with self.assertRaisesRegex(ImageError, "a needs libnot.so.1"):
            libraries.parse("\tlibnot.so.1 => not found\n", "a")

    def test_what_is_not_understood_is_refused(self) -> None:
        with self.assertRaisesRegex(ImageError, "not a dynamic executable"):
            libraries.parse("\tnot a dynamic executable\n", "a")
