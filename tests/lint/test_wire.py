"""protos/lvmd.proto has exactly the messages and services that docs/protocol.md promises, and what
lvmd adds is in packages of its own."""

from . import protos, wire
from .check import Check
from .tree import ROOT, files

DOCUMENT = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
PROTO = protos.read((ROOT / "protos/lvmd.proto").read_text(encoding="utf-8"))
OTHERS = {"grpc.health.v1", "grpc.reflection.v1alpha", "google.rpc", "google.protobuf"}


def methods(proto: protos.Proto) -> set[str]:
    return {f"{call}({request}) {response}" for call, request, response in proto.calls}


class Wire(Check):
    def test_messages_are_those_of_the_document(self) -> None:
        """[P-WIRE-2, P-MSG-1..45]"""
        documented, there = wire.document_fields(DOCUMENT), PROTO.fields
        self.assertGreater(len(documented), 40)
        self.assert_none([f"only in docs/protocol.md: {field}" for field in sorted(
            documented - there)] + [f"only in protos/lvmd.proto: {field}" for field in sorted(
                there - documented)])

    def test_services_are_those_of_the_document(self) -> None:
        """[P-WIRE-2, P-WIRE-3, P-WIRE-4]"""
        documented = wire.document_methods(DOCUMENT)
        self.assertEqual(len(documented), 7)
        self.assertEqual(documented, methods(PROTO))
        self.assertEqual(PROTO.package, "proto")

    def test_only_that_file_is_in_the_package(self) -> None:
        """[P-WIRE-6, P-WIRE-8]"""
        others = [file for file in files()
                  if file.suffix == ".proto" and file.name != "lvmd.proto"]
        self.assertTrue(others)
        packages = {file: protos.read((ROOT / file).read_text(encoding="utf-8")).package
                    for file in others}
        self.assert_none([f"{file}: package {name}" for file, name in packages.items()
                          if not name.startswith("lvmd.") and name not in OTHERS])


class WireReaders(Check):
    """The readers: what is there must be found."""

    def test_fields_are_read_from_both(self) -> None:
        document = ("| P-MSG-1 | A | 1 | name | string | x |\n| P-MSG-2 | | 2 | | | reserved |\n"
                    "| P-MSG-3 | B | | | | no field |\n")
        proto = ("message B {}\nmessage A {\n  // a = 3;\n  string name = 1;\n  reserved 2;\n"
                 "  repeated B more = 4;\n}\n")
        both = {("A", 1, "name", "string"), ("A", 2, "", "")}
        self.assertEqual(wire.document_fields(document), both)
        self.assertEqual(protos.read(proto).fields, both | {("A", 4, "more", "repeated B")})

    def test_methods_are_read_from_both(self) -> None:
        document = "| P-WIRE-4 | `proto.S`: `A(X) → Y` and `B(X) → stream Y`. |\n"
        proto = "service S {\n  rpc A(X) returns (Y);\n  rpc B(X) returns (stream Y);\n}\n"
        self.assertEqual(wire.document_methods(document), {"S.A(X) Y", "S.B(X) stream Y"})
        self.assertEqual(methods(protos.read(proto)), wire.document_methods(document))
