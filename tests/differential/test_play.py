"""How a step is judged, and how both sides become equal again."""

from __future__ import annotations

import unittest

from . import intended
from .compare import Answer, Volumes
from .play import Judgement, aligning, judge
from .random_steps import steps
from .stage import Outcome
from .steps import create
from .test_compare import ENTRY

STEP = create("a step", "x", 4)
EMPTY: Volumes = {"vg_a": {"free": "8"}}
MADE: Volumes = {"vg_a": {"free": "4"}, "vg_a/x": {"size": "4"}}
OK = Answer("OK", "", {})
REFUSED = Answer("INTERNAL", "no", {})


def judged(topolvm: Outcome, lvmd: Outcome, before: Volumes | None = None) -> Judgement:
    judgement = Judgement()
    judge(STEP, {"peer": topolvm, "ours": lvmd}, before, intended.parse(ENTRY), judgement)
    return judgement


class Judging(unittest.TestCase):
    def test_equal_outcomes_are_right(self) -> None:
        self.assertEqual(judged(Outcome(OK, MADE), Outcome(OK, MADE)), Judgement())

    def test_a_listed_difference_is_right_and_noted(self) -> None:
        self.assertEqual(judged(Outcome(REFUSED, EMPTY), Outcome(OK, MADE)),
                         Judgement([], {"D-CODE"}))

    def test_an_unlisted_difference_is_wrong(self) -> None:
        self.assertEqual(len(judged(Outcome(OK, MADE), Outcome(REFUSED, EMPTY)).wrong), 1)

    def test_another_state_behind_equal_answers_is_wrong(self) -> None:
        self.assertEqual(len(judged(Outcome(OK, MADE), Outcome(OK, EMPTY)).wrong), 2)
        self.assertEqual(len(judged(Outcome(REFUSED, EMPTY), Outcome(REFUSED, MADE)).wrong), 2)

    def test_a_refused_call_that_changed_something_is_wrong(self) -> None:
        both = Outcome(REFUSED, MADE)
        self.assertEqual(len(judged(both, both, EMPTY).wrong), 1)
        self.assertEqual(judged(both, both, MADE).wrong, [])


class Aligning(unittest.TestCase):
    def test_what_one_has_alone_goes_and_what_is_smaller_grows(self) -> None:
        small: Volumes = {"vg_a": {"free": "1"}, "vg_a/s": {"size": "4"}}
        large: Volumes = {"vg_a": {"free": "1"}, "vg_a/s": {"size": "8"}, "vg_a/x": {"size": "4"}}
        self.assertEqual(aligning(small, large), {
            "peer": ["lvresize -q -y -L 8b vg_a/s"], "ours": ["lvremove -q -f -y vg_a/x"]})
        self.assertEqual(aligning(MADE, MADE), {"peer": [], "ours": []})


class Random(unittest.TestCase):
    def test_a_seed_gives_the_same_steps(self) -> None:
        self.assertEqual(steps(7, 30), steps(7, 30))
        self.assertNotEqual(steps(7, 30), steps(8, 30))
