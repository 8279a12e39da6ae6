"""The comparison, on small responses: it must find differences, and ignore values that cannot be
equal."""

from __future__ import annotations

import json
import unittest

from . import intended
from .compare import Answer, answer_differences, state_differences, volumes_of
from .steps import for_side, short_names

ENTRY = """
[D-CODE]
rules = ["P-SIZE-1"]
calls = ["CreateLV"]
field = "code"
topolvm = "INTERNAL: .*"
lvmd = "OK"
reason = "why"
"""


def answer(response: dict, code: str = "OK", message: str = "") -> Answer:
    return Answer(code, message, response)


def found(topolvm: dict, lvmd: dict) -> list[tuple[str, str, str]]:
    return [(each.field, each.topolvm, each.lvmd)
            for each in answer_differences("Call", answer(topolvm), answer(lvmd))]


def report(**volumes: dict[str, str]) -> str:
    rows = [{"vg_name": "vg_a", "vg_free": "100", "lv_name": name, "lv_size": "4", "lv_tags": "",
             "lv_attr": "-wi-a-----", "pool_lv": "", "origin": "", "stripes": "1"} | fields
            for name, fields in volumes.items()]
    return json.dumps({"report": [{"lv": rows}]})


class Answers(unittest.TestCase):
    def test_codes_are_compared_first_and_texts_of_one_code_are_free(self) -> None:
        one, other = answer({}, "INTERNAL", "a"), answer({}, "INTERNAL", "b")
        self.assertEqual(answer_differences("Call", one, other), [])
        different = answer_differences("Call", one, answer({"x": 1}))
        self.assertEqual(different, [intended.Difference("Call", "code", "INTERNAL: a", "OK")])

    def test_volumes_are_compared_by_name_and_their_order_by_itself(self) -> None:
        first, second = {"name": "a", "size": 1}, {"name": "b", "size": 2}
        grown = {"name": "b", "size": 3}
        self.assertEqual(found({"volumes": [second, first]}, {"volumes": [first, grown]}), [
            ("volumes order", '"b,a"', '"sorted"'), ("volumes.size", "2", "3")])

    def test_a_volume_that_only_one_has_is_found(self) -> None:
        self.assertNotEqual(found({"volumes": [{"name": "a"}]}, {"volumes": []}), [])
        self.assertNotEqual(found({"volumes": [{"name": "a"}]},
                                  {"volumes": [{"name": "a"}, {"name": "b"}]}), [])

    def test_device_numbers_count_only_as_there_or_not(self) -> None:
        self.assertEqual(found({"dev_minor": 3}, {"dev_minor": 7}), [])
        self.assertEqual(found({"dev_minor": 3}, {"dev_minor": 0}),
                         [("dev_minor", '"a number"', "0")])

    def test_tags_are_a_set_and_the_open_flag_is_udevs(self) -> None:
        self.assertEqual(found({"tags": ["a", "b"], "attr": "-wi-ao----"},
                               {"tags": ["b", "a"], "attr": "-wi-a-----"}), [])
        self.assertEqual(len(found({"tags": ["a"], "attr": "-wi-a-----"},
                                   {"tags": [""], "attr": "-ri-a-----"})), 2)

    def test_percentages_may_differ_by_less_than_one(self) -> None:
        self.assertEqual(found({"data_percent": 1.0}, {"data_percent": 1.9}), [])
        self.assertEqual(len(found({"data_percent": 1.0}, {"data_percent": 2.5})), 1)

    def test_messages_of_a_stream_are_counted(self) -> None:
        item = {"free_bytes": "1"}
        self.assertEqual(found({"messages": [item]}, {"messages": [item, {"free_bytes": "1"}]})[0],
                         ("messages count", "1", "2"))


class States(unittest.TestCase):
    def test_every_property_counts(self) -> None:
        before = volumes_of(report(a={}))
        self.assertEqual(state_differences("Call", before, before), [])
        for fields in ({"lv_size": "8"}, {"lv_tags": "x"}, {"lv_attr": "-ri-a-----"},
                       {"lv_attr": "-wi-------"}, {"pool_lv": "p"}, {"origin": "o"},
                       {"stripes": "2"}, {"vg_free": "96"}):
            with self.subTest(fields):
                after = volumes_of(report(a=fields))
                self.assertEqual(len(state_differences("Call", before, after)), 1)
        self.assertEqual(len(state_differences("Call", before, volumes_of(report(a={}, b={})))), 1)

    def test_private_tags_do_not_count(self) -> None:
        tags = {"lv_tags": "lvmd.v1:class=thick,x,lvmd.v1:size=4"}
        self.assertEqual(volumes_of(report(a=tags)), volumes_of(report(a={"lv_tags": "x"})))


class Names(unittest.TestCase):
    def test_groups_have_a_name_for_each_side_and_lose_it_again(self) -> None:
        text = "lvrename vg_a/vg_abc /dev/vg_b/x vg_x"
        self.assertEqual(for_side(text, "peer"),
                         "lvrename vg_peer_a/vg_abc /dev/vg_peer_b/x vg_peer_x")
        self.assertEqual(short_names(for_side(text, "ours")), text)


class List(unittest.TestCase):
    def test_an_entry_covers_what_all_its_parts_fit(self) -> None:
        entry, = intended.parse(ENTRY)
        fits = intended.Difference("CreateLV", "code", "INTERNAL: a\nb", "OK")
        self.assertTrue(entry.covers(fits))
        for other in (("RemoveLV", "code", "INTERNAL: a", "OK"),
                      ("CreateLV", "volume.path", "INTERNAL: a", "OK"),
                      ("CreateLV", "code", "UNKNOWN: a", "OK"),
                      ("CreateLV", "code", "INTERNAL: a", "OK, or nearly")):
            with self.subTest(other):
                self.assertFalse(entry.covers(intended.Difference(*other)))

    def test_an_entry_that_is_not_whole_is_refused(self) -> None:
        for wrong in (ENTRY.replace("[D-CODE]", "[code]"), ENTRY.replace("reason", "because"),
                      ENTRY.replace('["P-SIZE-1"]', "[]"), ENTRY.replace(".*", "(")):
            with self.subTest(wrong), self.assertRaises(intended.ListError):
                intended.parse(wrong)
