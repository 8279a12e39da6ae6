"""Which of a host's apt sources and variables a fresh Debian root gets."""

import tempfile
import unittest
from pathlib import Path

from .host_network import debian_sources, variables

ONE_LINE = """
# deb http://commented.example/debian bookworm main
deb [arch=amd64 signed-by=/x.gpg] http://mirror.example/debian bookworm main contrib # note
deb http://mirror.example/debian trixie main
deb-src http://mirror.example/debian bookworm main
deb https://vendor.example/apt tool-bookworm main
"""
DEB822 = """
Types: deb deb-src
URIs: http://mirror.example/debian
Suites: bookworm-updates
 bookworm-security
Components: main

Types: deb
URIs: https://vendor.example/x
Suites: nodistro
Components: main

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main
"""


class SourcesTest(unittest.TestCase):
    def test_only_debians_own_suites_are_taken(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            apt = Path(folder)
            (apt / "sources.list.d").mkdir()
            (apt / "sources.list").write_text("")
            (apt / "sources.list.d/a.list").write_text(ONE_LINE)
            (apt / "sources.list.d/b.sources").write_text(DEB822)
            self.assertEqual(debian_sources("bookworm", apt).splitlines(), [
                "deb http://mirror.example/debian bookworm main contrib",
                "deb http://mirror.example/debian bookworm-updates main",
                "deb http://mirror.example/debian bookworm-security main",
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
