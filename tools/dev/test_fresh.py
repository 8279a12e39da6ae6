"""The host's settings that a new Debian root gets."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tools.vm import host_apt

from .fresh_command import variables

TARGETS = """\
Debian bookworm deb http://mirror.example/debian bookworm main
Debian bookworm-updates deb http://mirror.example/debian bookworm-updates main
Debian bookworm-updates deb http://mirror.example/debian bookworm-updates main
Debian trixie deb http://mirror.example/debian trixie main
Vendor bookworm deb https://vendor.example/apt tool main
"""


class SourcesTest(unittest.TestCase):
    def test_only_debians_own_suites_are_taken(self) -> None:
        with mock.patch.object(host_apt, "_output", return_value=TARGETS):
            self.assertEqual(host_apt.sources("bookworm").splitlines(), [
                "deb http://mirror.example/debian bookworm main",
                "deb http://mirror.example/debian bookworm-updates main",
            ])


class VariablesTest(unittest.TestCase):
    def test_only_the_way_to_the_network_is_taken(self) -> None:
        host = {
            "https_proxy": "http://proxy.example:3128",
            "NO_PROXY": "localhost",
            "GOPROXY": "https://go.example",
            "SSL_CERT_FILE": "/there.crt",
            "CURL_CA_BUNDLE": "/missing.crt",
            "PIP_TARGET": "somewhere",
            "HOME": "/there.crt",
            "GOPATH": "/there.crt",
        }
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "there.crt").touch()
            chosen = variables(host, Path(folder))
        self.assertEqual(set(chosen), {"https_proxy", "NO_PROXY", "GOPROXY", "SSL_CERT_FILE"})
