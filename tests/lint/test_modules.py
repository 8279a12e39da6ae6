"""The modules of the tree are those of docs/modules.md, and each uses only what it may."""

import tempfile
from pathlib import Path

from . import dependencies, includes, modules
from .check import Check
from .tree import CPP, ROOT, files

DOCUMENT = ROOT / "docs" / "modules.md"
SOURCES = [file for file in files() if file.suffix in CPP]
MODULE_ROOTS = ("lvmd", "csi", "reconciler")

SMALL_TABLE = """
| module | may use | why |
|---|---|---|
| `lvmd/base` | fmt | |
| `lvmd/model` | `lvmd/base` | |
| `lvmd/server` | `lvmd/model`, gRPC | |
"""


class Modules(Check):
    def test_the_tree_has_the_modules_of_the_table_and_no_other(self) -> None:
        table = modules.read(DOCUMENT)
        found = {str(file.parent) for file in SOURCES if file.parts[0] in MODULE_ROOTS}
        self.assert_none(sorted(found - set(table.modules)), "these folders have no row in the table")
        self.assert_none(sorted(set(table.modules) - found), "these modules have no source file")

    def test_no_module_includes_what_it_may_not(self) -> None:
        found = includes.violations(modules.read(DOCUMENT), ROOT, SOURCES)
        self.assert_none(found)

    def test_a_host_knows_plugged_modules_by_one_header_in_one_file(self) -> None:
        self.assert_none(includes.host_violations(ROOT, SOURCES))

    def test_no_module_links_what_it_may_not(self) -> None:
        build = dependencies.read(dependencies.meson_files(ROOT, files()))
        self.assert_none(dependencies.findings(modules.read(DOCUMENT), build))


class Hosts(Check):
    """The rule for hosts, on small trees."""

    PLUGGED = {"lvmd/mounts/module.hpp": "", "lvmd/mounts/table/mounts.hpp": ""}

    def found(self, **files: str) -> list[str]:
        sources = self.PLUGGED | {f"lvmd/server/{name}.cpp": f'#include "{header}"\n'
                                  for name, header in files.items()}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in sources.items():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_text(text, encoding="utf-8")
            return includes.host_violations(Path(folder), [Path(name) for name in sources])

    def test_one_file_may_include_the_header(self) -> None:
        self.assertEqual(self.found(a="lvmd/mounts/module.hpp", b="lvmd/volumes/x.hpp"), [])

    def test_another_header_is_found(self) -> None:
        self.assertEqual(self.found(a="lvmd/mounts/table/mounts.hpp"),
                         ["lvmd/server/a.cpp includes lvmd/mounts/table/mounts.hpp: "
                          "lvmd/server may include only its module.hpp"])

    def test_a_second_file_is_found(self) -> None:
        self.assertEqual(self.found(a="lvmd/mounts/module.hpp", b="lvmd/mounts/module.hpp"),
                         ["lvmd/server: more than one file includes plugged modules: "
                          "lvmd/server/a.cpp, lvmd/server/b.cpp"])


class ForbiddenDependencies(Check):
    """The check of meson.build, on a small tree."""

    BASE = "base_dep = declare_dependency(link_with: base, dependencies: fmt_dep)\n"

    def found(self, text: str) -> list[str]:
        build = dependencies.read({"lvmd/base": self.BASE, "lvmd/model": text})
        return dependencies.findings(modules.parse(SMALL_TABLE), build)

    def test_what_the_table_allows_is_let_through(self) -> None:
        self.assertEqual(self.found("x_deps = [base_dep]\nlib(\n  dependencies: x_deps,\n)\n"), [])

    def test_what_the_table_does_not_allow_is_found(self) -> None:
        for text in ("lib(dependencies: [base_dep, grpc_dep])\n",
                     "x_deps = [\n  base_dep,\n  grpc_dep,\n]\nlib(dependencies: x_deps)\n"):
            self.assertEqual(self.found(text), ["lvmd/model/meson.build links gRPC: "
                                                "the table does not let it use that"])


class ForbiddenIncludes(Check):
    """The check itself, on small trees: it must find forbidden includes."""

    def found(self, file: str, text: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / file
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            return includes.violations(modules.parse(SMALL_TABLE), Path(folder), [Path(file)])

    def test_allowed_includes_are_let_through(self) -> None:
        text = '#include <vector>\n#include <sys/stat.h>\n#include <grpcpp/grpcpp.h>\n' \
               '#include "lvmd/model/names.hpp"\n#include "lvmd/server/own.hpp"\n'
        self.assertEqual(self.found("lvmd/server/a.cpp", text), [])

    def test_a_forbidden_library_is_found(self) -> None:
        found = self.found("lvmd/server/a.cpp", "#include <vector>\n#include <lvm2cmd.h>\n")
        self.assertEqual(found, ["lvmd/server/a.cpp:2: lvmd/server includes lvm2cmd.h: "
                                 "the table does not let it use liblvm2cmd"])

    def test_a_forbidden_module_is_found(self) -> None:
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
    def test_what_may_be_linked_includes_what_used_modules_link(self) -> None:
        self.assertEqual(modules.parse(SMALL_TABLE).reached("lvmd/server"),
                         {"lvmd/base", "lvmd/model", "gRPC", "fmt"})

    def test_a_row_that_means_nothing_is_refused(self) -> None:
        for row in ("| base | fmt |", "| `lvmd/x` | `lvmd/nowhere` |", "| `lvmd/x` | boost |"):
            with self.subTest(row), self.assertRaises(modules.TableError):
                modules.parse(SMALL_TABLE + row + "\n")
