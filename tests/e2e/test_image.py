"""The content of the images, and that they are reproducible. The ids in brackets are rules of
docs/reconciler.md."""

from __future__ import annotations

import io
import json
import os
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tools.dev import paths
from tools.image import Image, build_image


class ReconcilerImage(unittest.TestCase):
    program = "lvmd-reconciler"
    folder: Path
    image: Image

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.image = build_image(paths.INSTALL_TREE, cls.program, cls.folder / "first")

    def layer(self) -> list[tarfile.TarInfo]:
        with tarfile.open(self.image.archive) as archive:
            [manifest] = json.loads(self.blob(archive, "index.json"))["manifests"]
            manifest = json.loads(self.blob(archive, self.path(manifest["digest"])))
            [layer] = manifest["layers"]
            data = self.blob(archive, self.path(layer["digest"]))
        with tarfile.open(fileobj=io.BytesIO(data)) as files:
            return files.getmembers()

    def blob(self, archive: tarfile.TarFile, name: str) -> bytes:
        found = archive.extractfile(name)
        assert found is not None
        return found.read()

    def path(self, digest: str) -> str:
        return f"blobs/{digest.replace(':', '/')}"

    def test_the_program_its_libraries_certificates_and_a_user(self) -> None:
        """[R-IMG-1]"""
        files = {entry.name: entry for entry in self.layer() if not entry.isdir()}
        known = {f"usr/bin/{self.program}", "etc/ssl/certs/ca-certificates.crt", "etc/passwd",
                 "etc/group", "etc/nsswitch.conf"}
        self.assertLessEqual(known, set(files))
        others = [name for name in files if name not in known and ".so" not in Path(name).name]
        self.assertEqual(others, [])
        for entry in self.layer():
            self.assertEqual((entry.uid, entry.gid), (0, 0), entry.name)
            self.assertEqual(entry.mode & 0o7022, 0, f"{entry.name}: setuid, or writable by others")
            self.assertTrue(entry.isreg() or entry.isdir(), entry.name)

    def test_its_size(self) -> None:
        """[R-IMG-2]"""
        size = sum(entry.size for entry in self.layer())
        self.assertEqual(size, self.image.size)
        self.assertLessEqual(size, 40_000_000)

    def test_the_same_again(self) -> None:
        """[R-IMG-3]"""
        again = build_image(paths.INSTALL_TREE, self.program, self.folder / "again")
        self.assertEqual(again.digest, self.image.digest)
        self.assertEqual(again.archive.read_bytes(), self.image.archive.read_bytes())
        self.assertEqual(again.sbom.read_bytes(), self.image.sbom.read_bytes())
        with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="1000000000"):
            later = build_image(paths.INSTALL_TREE, self.program, self.folder / "later")
        self.assertNotEqual(later.digest, self.image.digest)

    def test_the_list_of_contents_has_every_file_and_where_it_is_from(self) -> None:
        """[R-IMG-4]"""
        listed = json.loads(self.image.sbom.read_text())
        files = {file["fileName"]: file["SPDXID"] for file in listed["files"]}
        self.assertEqual(sorted(files), sorted(f"./{entry.name}" for entry in self.layer()
                                               if not entry.isdir()))
        packages = {package["SPDXID"]: package for package in listed["packages"]}
        origin = {relation["relatedSpdxElement"]: packages[relation["spdxElementId"]]
                  for relation in listed["relationships"]
                  if relation["relationshipType"] == "CONTAINS"
                  and relation["relatedSpdxElement"] in files.values()}
        self.assertEqual(set(origin), set(files.values()))
        names = {name: origin[reference]["name"] for name, reference in files.items()}
        self.assertEqual(names[f"./usr/bin/{self.program}"], self.program)
        self.assertEqual({name for path, name in names.items() if "/libgrpc++.so" in path},
                         {"libgrpc++1.51"})
        for package in packages.values():
            self.assertTrue(package["versionInfo"], package["name"])
        self.assertIn(self.image.digest.removeprefix("sha256:"),
                      [checksum["checksumValue"] for package in listed["packages"]
                       for checksum in package.get("checksums", [])])


class ControllerImage(ReconcilerImage):
    program = "csi-controller"
