"""The rooms of the tree are those of docs/architecture.md, and each uses only what it may."""

import tempfile
from pathlib import Path

from . import includes, rooms
from .check import Check
from .tree import CPP, ROOT, files

DOCUMENT = ROOT / "docs" / "architecture.md"
SOURCES = [file for file in files() if file.suffix in CPP]
ROOM_ROOTS = ("lvmd", "reconciler")

SMALL_TABLE = """
| room | may use | why |
|---|---|---|
| `lvmd/base` | fmt | |
| `lvmd/model` | `lvmd/base` | |
| `lvmd/server` | `lvmd/model`, gRPC | |
"""


class Rooms(Check):
    def test_the_tree_has_the_rooms_of_the_table_and_no_other(self) -> None:
        table = rooms.read(DOCUMENT)
        found = {str(file.parent) for file in SOURCES if file.parts[0] in ROOM_ROOTS}
        self.assert_none(sorted(found - set(table.rooms)), "these folders have no row in the table")
        self.assert_none(sorted(set(table.rooms) - found), "these rooms have no source file")

    def test_no_room_includes_what_it_may_not(self) -> None:
        found = includes.violations(rooms.read(DOCUMENT), ROOT, SOURCES)
        self.assert_none(found)


class ForbiddenIncludes(Check):
    """The check itself, on small trees: what is forbidden must be found."""

    def found(self, file: str, text: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / file
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            return includes.violations(rooms.parse(SMALL_TABLE), Path(folder), [Path(file)])

    def test_allowed_includes_are_let_through(self) -> None:
        text = '#include <vector>\n#include <sys/stat.h>\n#include <grpcpp/grpcpp.h>\n' \
               '#include "lvmd/model/names.hpp"\n#include "lvmd/server/own.hpp"\n'
        self.assertEqual(self.found("lvmd/server/a.cpp", text), [])

    def test_a_forbidden_library_is_found(self) -> None:
        found = self.found("lvmd/server/a.cpp", "#include <vector>\n#include <lvm2cmd.h>\n")
        self.assertEqual(found, ["lvmd/server/a.cpp:2: lvmd/server includes lvm2cmd.h: "
                                 "the table does not let it use liblvm2cmd"])

    def test_a_forbidden_room_is_found(self) -> None:
        found = self.found("lvmd/model/a.hpp", '#include "lvmd/server/own.hpp"\n')
        self.assertEqual(len(found), 1)
        self.assertIn("does not let it use lvmd/server", found[0])

    def test_a_generated_header_counts_as_its_library(self) -> None:
        text = '#include "lvmd/v1/x.grpc.pb.h"\n#include "lvmd/v1/x.pb.h"\n'
        found = self.found("lvmd/server/a.cpp", text)
        self.assertEqual(found, ["lvmd/server/a.cpp:2: lvmd/server includes lvmd/v1/x.pb.h: "
                                 "the table does not let it use protobuf"])

    def test_a_header_of_no_known_library_is_found(self) -> None:
        self.assertEqual(len(self.found("lvmd/base/a.cpp", "#  include <boost/asio.hpp>\n")), 1)
        self.assertEqual(len(self.found("lvmd/base/a.cpp", '#include "result.hpp"\n')), 1)


class Tables(Check):
    def test_what_may_be_linked_includes_what_used_rooms_link(self) -> None:
        self.assertEqual(rooms.parse(SMALL_TABLE).linkable("lvmd/server"), {"gRPC", "fmt"})

    def test_a_row_that_means_nothing_is_refused(self) -> None:
        for row in ("| base | fmt |", "| `lvmd/x` | `lvmd/nowhere` |", "| `lvmd/x` | boost |"):
            with self.subTest(row), self.assertRaises(rooms.TableError):
                rooms.parse(SMALL_TABLE + row + "\n")
