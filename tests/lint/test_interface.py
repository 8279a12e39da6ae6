"""No name that clients use is removed: tests/lint/interface.txt lists these names."""

from . import interface, protos
from .check import Check

_ACCEPT = "`./dev lint --accept-interface` records what is new"


class Interface(Check):
    def test_nothing_of_the_list_is_missing(self) -> None:
        self.assert_none(interface.missing(interface.read()), "clients rely on these")

    def test_what_is_new_is_recorded(self) -> None:
        self.assert_none(interface.unrecorded(interface.read()), _ACCEPT)

    def test_each_kind_is_read(self) -> None:
        kinds = {line.split()[0] for line in interface.read()}
        self.assertEqual(kinds, {"call", "crd", "enum", "field", "flag", "lvmd.yaml", "metric",
                                 "metric-label", "rule"})


class Readers(Check):
    """The readers: they must find existing names."""

    def test_protos(self) -> None:
        proto = protos.read("package p; // x = 9;\nservice S { rpc A(B) returns (stream C) {} }\n"
                            "message M {\n  oneof kind { map<string, x.Y> a = 1; }\n"
                            "  optional int32 b = 2 [deprecated = true];\n  enum E { ONE = 1; }\n}\n")
        self.assertEqual(proto.calls, {("S.A", "B", "stream C")})
        self.assertEqual(proto.fields, {("M", 1, "a", "map<string, x.Y>"),
                                        ("M", 2, "b", "optional int32")})
        self.assertEqual(proto.values, {("M.E", 1, "ONE")})

    def test_definitions(self) -> None:
        text = ("kind: CustomResourceDefinition\nmetadata:\n  name: a.b\nspec:\n  properties:\n"
                "    spec:\n      type: object\n      properties:\n        list:\n"
                "          type: array\n          items:\n            type: string\n")
        self.assertEqual(set(interface.crd_fields(text)), {
            "crd a.b spec", "crd a.b spec object", "crd a.b spec.list", "crd a.b spec.list array",
            "crd a.b spec.list[] string"})

    def test_metrics(self) -> None:
        text = ('BuildCounter()\n  .Name("lvmd_a_total")\nGauges x{"lvmd_b", "help"}; gauge("lvmd_e", 1);\n'
                '{.name = "lvmd_c",\n .type = prometheus::MetricType::Gauge}\n'
                '"# TYPE lvmd_d gauge\\n" "lvmd_d{{phase=\\"{}\\"}}" .Add({{"code", x}})\n')
        self.assertEqual(set(interface.metrics(text, "lvmd")), {
            "metric lvmd_a_total counter", "metric lvmd_b gauge", "metric lvmd_c gauge",
            "metric lvmd_d gauge", "metric lvmd_e gauge", "metric-label lvmd phase", "metric-label lvmd code"})
