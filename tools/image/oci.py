"""An OCI image layout of one layer in one tar archive, which podman, skopeo, ctr and docker
load."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import time as clock
from dataclasses import dataclass
from typing import Any

from .tree import compressed

_MEDIA = "application/vnd.oci.image"


@dataclass(frozen=True)
class Description:
    name: str
    """With a tag, such as `localhost/lvmd-reconciler:0.1.0`."""
    architecture: str
    time: int
    """The time of all files in it, in seconds since 1970."""
    config: dict[str, Any]
    """The configuration of a container: User, Entrypoint and so on."""


def archive(layer: bytes, description: Description) -> tuple[bytes, str]:
    """The archive, and the digest of the image's manifest. `layer` is a plain tar."""
    blobs: dict[str, bytes] = {}

    def stored(media: str, data: bytes) -> dict[str, Any]:
        digest = _digest(data)
        blobs[digest] = data
        return {"mediaType": f"{_MEDIA}.{media}", "digest": digest, "size": len(data)}

    created = timestamp(description.time)
    layers = [stored("layer.v1.tar+gzip", compressed(layer))]
    config = stored("config.v1+json", _json({
        "architecture": description.architecture,
        "os": "linux",
        "created": created,
        "config": description.config,
        "rootfs": {"type": "layers", "diff_ids": [_digest(layer)]},
        "history": [{"created": created, "created_by": "./dev image"}],
    }))
    manifest = stored("manifest.v1+json", _json({
        "schemaVersion": 2, "mediaType": f"{_MEDIA}.manifest.v1+json",
        "config": config, "layers": layers,
    }))
    index = {
        "schemaVersion": 2,
        "mediaType": f"{_MEDIA}.index.v1+json",
        "manifests": [{
            **manifest,
            "platform": {"architecture": description.architecture, "os": "linux"},
            # podman reads the first, containerd the second.
            "annotations": {"org.opencontainers.image.ref.name": description.name,
                            "io.containerd.image.name": description.name},
        }],
    }
    files = {"oci-layout": _json({"imageLayoutVersion": "1.0.0"}), "index.json": _json(index)}
    files |= {f"blobs/{digest.replace(':', '/')}": data for digest, data in blobs.items()}
    return _tar(files, description.time), manifest["digest"]


def timestamp(time: int) -> str:
    return clock.strftime("%Y-%m-%dT%H:%M:%SZ", clock.gmtime(time))


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _tar(files: dict[str, bytes], time: int) -> bytes:
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tarfile.USTAR_FORMAT) as made:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.size, entry.mode = time, len(content), 0o644
            made.addfile(entry, io.BytesIO(content))
    return output.getvalue()
