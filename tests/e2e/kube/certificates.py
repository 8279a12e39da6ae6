"""The keys and certificates of one control plane, made by openssl for that control plane alone."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from .errors import KubeError

GUEST_VIEW_OF_HOST = "10.0.2.2"
"""The address at which a guest on QEMU's user network reaches the loopback of its host."""
API_SERVICE = "10.96.0.1"
"""The address of the Service `kubernetes`: the first one that servers.py gives to Services."""

_NAMES = f"IP:127.0.0.1,IP:{GUEST_VIEW_OF_HOST},IP:{API_SERVICE},DNS:localhost"
_DAYS = "7"


@dataclass(frozen=True)
class Certificates:
    ca: Path
    server: Path
    server_key: Path
    service_account_key: Path


def make_certificates(folder: Path) -> Certificates:
    """Makes a CA, a server certificate for 127.0.0.1, for the guest's address of the host and for
    the Service `kubernetes`, and the key that signs service account tokens, in the existing folder
    `folder`. Raises KubeError."""
    ca, ca_key = folder / "ca.crt", folder / "ca.key"
    made = Certificates(ca, folder / "server.crt", folder / "server.key", folder / "accounts.key")
    request = folder / "server.csr"
    extensions = folder / "server.ext"
    extensions.write_text(f"subjectAltName={_NAMES}\nextendedKeyUsage=serverAuth\n")
    for key in (ca_key, made.server_key, made.service_account_key):
        _openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key)
        key.chmod(0o600)
    _openssl("req", "-x509", "-new", "-key", ca_key, "-subj", "/CN=lvmd test CA", "-days", _DAYS,
             "-addext", "keyUsage=critical,keyCertSign", "-out", ca)
    _openssl("req", "-new", "-key", made.server_key, "-subj", "/CN=kube-apiserver", "-out", request)
    _openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial",
             "-days", _DAYS, "-extfile", extensions, "-out", made.server)
    return made


def _openssl(*arguments: str | Path) -> None:
    done = subprocess.run(["openssl", *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise KubeError(f"openssl {arguments[0]} failed with exit code {done.returncode}: "
                        f"{done.stderr.strip()}")
