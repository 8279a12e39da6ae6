"""The contents of an image, as SPDX 2.3 in JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from . import debian
from .debian import Package
from .oci import timestamp
from .tree import Tree

_UNKNOWN = "NOASSERTION"


def document(name: str, version: str, digest: str, time: int, tree: Tree,
             packages: Sequence[Package], compiled_in: Sequence[Package]) -> str:
    """`packages`: the packages of the files in `tree`. `compiled_in`: those whose headers became
    part of the program. `digest`: that of the image's manifest, which makes the document's name
    unique."""
    root = "SPDXRef-image"
    relations = [_relation("SPDXRef-DOCUMENT", "DESCRIBES", root)]
    relations += [_relation(root, "CONTAINS", _id(package)) for package in packages]
    relations += [_relation(root, "STATIC_LINK", _id(package)) for package in compiled_in]
    ids = {package.name: _id(package) for package in packages}
    listed = []
    for path, file in sorted(tree.files.items()):
        reference = f"SPDXRef-file-{hashlib.sha256(path.encode()).hexdigest()[:16]}"
        listed.append({
            "SPDXID": reference, "fileName": f".{path}", "copyrightText": _UNKNOWN,
            "licenseConcluded": _UNKNOWN,
            "checksums": [{"algorithm": kind, "checksumValue": made(file.content).hexdigest()}
                          for kind, made in (("SHA1", hashlib.sha1), ("SHA256", hashlib.sha256))],
        })
        relations.append(_relation(ids[file.package] if file.package else root, "CONTAINS",
                                   reference))
    image = {
        **_package(root, name, version), "primaryPackagePurpose": "CONTAINER",
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest.removeprefix("sha256:")}],
        "licenseDeclared": "Apache-2.0",
    }
    return json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}",
        "documentNamespace": f"https://lvmd.invalid/spdx/{name}-{version}-{digest[-16:]}",
        "creationInfo": {"created": timestamp(time), "creators": ["Tool: lvmd-dev-image"]},
        "packages": [image, *(_debian(package) for package in (*packages, *compiled_in))],
        "files": listed,
        "relationships": relations,
    }, indent=2) + "\n"


def _debian(package: Package) -> dict[str, Any]:
    locator = (f"pkg:deb/debian/{package.name}@{package.version.replace('+', '%2B')}"
               f"?arch={package.architecture}&distro={debian.codename()}")
    return {
        **_package(_id(package), package.name, package.version),
        "sourceInfo": f"built from the Debian source package {package.source}",
        "supplier": "Organization: Debian",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": locator}],
    }


def _package(reference: str, name: str, version: str) -> dict[str, Any]:
    return {"SPDXID": reference, "name": name, "versionInfo": version, "filesAnalyzed": False,
            "downloadLocation": _UNKNOWN, "licenseConcluded": _UNKNOWN, "copyrightText": _UNKNOWN}


def _id(package: Package) -> str:
    return "SPDXRef-deb-" + package.name.replace("+", "-plus").replace("_", "-")


def _relation(subject: str, kind: str, other: str) -> dict[str, str]:
    return {"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": other}
