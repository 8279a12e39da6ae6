"""protos/lvmd.proto has exactly the messages of TopoLVM and the services of docs/protocol.md, and
lvmd's additions are in other packages."""

from . import protos, rules, wire
from .check import Check
from .tree import ROOT, files

DOCUMENT = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
TEXT = (ROOT / "protos/lvmd.proto").read_text(encoding="utf-8")
PROTO = protos.read(TEXT)
FIELDS = """
CreateLVRequest 1 name string
CreateLVRequest 2
CreateLVRequest 3 tags repeated string
CreateLVRequest 4 device_class string
CreateLVRequest 5 lvcreate_option_class string
CreateLVRequest 6 size_bytes int64
CreateLVResponse 1 volume LogicalVolume
CreateLVSnapshotRequest 1 name string
CreateLVSnapshotRequest 2 tags repeated string
CreateLVSnapshotRequest 3 device_class string
CreateLVSnapshotRequest 4 source_volume string
CreateLVSnapshotRequest 5
CreateLVSnapshotRequest 6 access_type string
CreateLVSnapshotRequest 7 size_bytes int64
CreateLVSnapshotResponse 1 snapshot LogicalVolume
GetFreeBytesRequest 1 device_class string
GetFreeBytesResponse 1 free_bytes uint64
GetLVListRequest 1 device_class string
GetLVListResponse 1 volumes repeated LogicalVolume
LogicalVolume 1 name string
LogicalVolume 2
LogicalVolume 3 dev_major uint32
LogicalVolume 4 dev_minor uint32
LogicalVolume 5 tags repeated string
LogicalVolume 6 size_bytes int64
LogicalVolume 7 path string
LogicalVolume 8 attr string
RemoveLVRequest 1 name string
RemoveLVRequest 2 device_class string
ResizeLVRequest 1 name string
ResizeLVRequest 2
ResizeLVRequest 3 device_class string
ResizeLVRequest 7 size_bytes int64
ResizeLVResponse 1 size_bytes int64
ThinPoolItem 1 data_percent double
ThinPoolItem 2 metadata_percent double
ThinPoolItem 3 overprovision_bytes uint64
ThinPoolItem 4 size_bytes uint64
WatchItem 1 free_bytes uint64
WatchItem 2 device_class string
WatchItem 3 size_bytes uint64
WatchItem 4 thin_pool ThinPoolItem
WatchResponse 1 free_bytes uint64
WatchResponse 2 items repeated WatchItem
"""
OTHERS = {"csi.v1", "pluginregistration", "grpc.health.v1", "grpc.reflection.v1alpha", "google.rpc",
          "google.protobuf"}


def methods(proto: protos.Proto) -> set[str]:
    return {f"{call}({request}) {response}" for call, request, response in proto.calls}


class Wire(Check):
    def test_messages_never_change(self) -> None:
        """[P-WIRE-2, P-MSG-1..45]"""
        self.assertEqual({f"{message} {number} {name} {type_}".rstrip()
                          for message, number, name, type_ in PROTO.fields},
                         set(FIELDS.strip().splitlines()))

    def test_each_field_has_a_rule(self) -> None:
        """[P-MSG-1..45]"""
        self.assert_none(wire.fields_without_rule(TEXT))
        self.assertEqual([rule.id for rule in sorted(
            rules.parse_proto(rules.PROTO, TEXT), key=lambda rule: int(rule.id.split("-")[-1]))],
                         [f"P-MSG-{number}" for number in range(1, 46)])

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
    """The readers: they must find existing names."""

    def test_fields_are_read(self) -> None:
        proto = ("message B {}\nmessage A {\n  // a = 3;\n  string name = 1;\n  reserved 2;\n"
                 "  repeated B more = 4;\n}\n")
        self.assertEqual(protos.read(proto).fields, {
            ("A", 1, "name", "string"), ("A", 2, "", ""), ("A", 4, "more", "repeated B")})

    def test_rules_are_read_from_comments(self) -> None:
        proto = ("// P-MSG-1: no field.\nmessage B {}\nmessage A {\n  // P-MSG-2: one\n  // more.\n"
                 "  string name = 1;\n  // no rule\n  reserved 2;\n}\n")
        self.assertEqual([(rule.id, rule.text) for rule in rules.parse_proto(rules.PROTO, proto)],
                         [("P-MSG-1", "no field."), ("P-MSG-2", "one more.")])
        self.assertEqual(wire.fields_without_rule(proto), ["reserved 2;"])

    def test_methods_are_read_from_both(self) -> None:
        document = "| P-WIRE-4 | `proto.S`: `A(X) → Y` and `B(X) → stream Y`. |\n"
        proto = "service S {\n  rpc A(X) returns (Y);\n  rpc B(X) returns (stream Y);\n}\n"
        self.assertEqual(wire.document_methods(document), {"S.A(X) Y", "S.B(X) stream Y"})
        self.assertEqual(methods(protos.read(proto)), wire.document_methods(document))
