"""The figures of `./dev bench load`, from invented output and times."""

import unittest

from . import idle, load_report, made_up
from .samples import BenchError
from .stage import Memory

# As in the kernel's trace: bash starts sleep; 20 and 21 are threads of lvmd.
SLEEP = """\
            bash-70      [001] ...1.   812.1: sched_process_fork: comm=bash pid=70 child_comm=bash child_pid=71
           sleep-71      [001] ...1.   812.2: sched_process_exec: filename=/usr/bin/sleep pid=71 old_pid=71
"""
CHILD = """\
  grpc_global_tim-21    [000] ...1.   813.1: sched_process_fork: comm=grpc_global_tim pid=21 child_comm=grpc_global_tim child_pid=80
           x y-80       [000] ...1.   813.2: sched_process_fork: comm=x y pid=80 child_comm=x y child_pid=81
"""
LVS = """\
             lvs-90     [000] ...1.   814.1: sched_process_exec: filename=/usr/sbin/lvs pid=90 old_pid=90
"""
LVMD = LVS.replace("/usr/sbin/lvs", "/usr/lib/lvmd/lvmd-worker")


def output(events: str = SLEEP, locks: str = "none", written: str = "2/2",
           microseconds: int = 300_000) -> str:
    return (f"threads: 20 21\nmicroseconds: {microseconds}\nlocks: {locks}\n# tracer: nop\n#\n"
            f"# entries-in-buffer/entries-written: {written}   #P:2\n{events}")


class Idle(unittest.TestCase):
    def test_nothing_happens(self) -> None:
        self.assertEqual(idle.parse(output(), 600),
                         idle.Idle(seconds=600, forks=0, lvm_commands=False,
                                   processor_percent=0.05))

    def test_a_process_of_any_of_its_threads_counts_and_those_that_it_makes(self) -> None:
        self.assertEqual(idle.parse(output(SLEEP + CHILD), 600).forks, 2)

    def test_a_lock_or_a_program_of_lvm_is_an_lvm_command(self) -> None:
        self.assertTrue(idle.parse(output(locks="taken"), 600).lvm_commands)
        self.assertTrue(idle.parse(output(SLEEP + LVS), 600).lvm_commands)
        self.assertFalse(idle.parse(output(SLEEP + LVMD), 600).lvm_commands)

    def test_what_cannot_be_seen_is_an_error(self) -> None:
        for wrong in (output(events=""), output(written="2/900"), "threads: 20 21\n",
                      output().replace("locks:", "?")):
            with self.assertRaises(BenchError):
                idle.parse(wrong, 600)


class Figures(unittest.TestCase):
    def test_two_groups_in_the_time_of_one_are_twice_as_many(self) -> None:
        taken = [(1, 90.0), (2, 100.0), (2, 100.0), (1, 110.0)]
        library = [(1, 30.0), (2, 40.0)]
        self.assertEqual(load_report.parallel(taken, library),
                         {"one_ms": 100.0, "two_ms": 100.0, "ratio": 2.0, "library_ratio": 1.5})

    def test_sustained_changes_a_second(self) -> None:
        self.assertEqual(load_report.sustained([(70, 10.0), (70, 4.0)], [(70, 20.0), (70, 20.0)]),
                         {"changes": 140, "per_second": 10.0, "library_per_second": 3.5,
                          "ratio": 2.857})

    def test_the_last_hundred_beside_the_first(self) -> None:
        figure = load_report.creates([1.0] * 100 + [9.0] * 800 + [3.0] * 100)
        self.assertEqual((figure["first_hundred_ms"], figure["last_hundred_ms"], figure["ratio"]),
                         (1.0, 3.0, 3.0))

    def test_memory_that_grows_with_each_call(self) -> None:
        samples = [Memory(30_000, 10_000 + 100 * number) for number in range(11)]
        figures = load_report.memory(1010, 1000, samples)
        self.assertEqual(figures[load_report.CALLS]["calls"], list(range(0, 10_001, 1000)))
        self.assertEqual(figures[load_report.CALLS]["growth"], round(11_000 / 10_500 - 1, 4))
        self.assertEqual(figures[load_report.CALLS]["largest_kb"], 11_000)

    def test_memory_that_comes_and_goes(self) -> None:
        samples = [Memory(30_000, 10_000 + 500 * (number % 3)) for number in range(11)]
        self.assertEqual(load_report.memory(1010, 1000, samples)[load_report.CALLS]["growth"], 0)


class Rows(unittest.TestCase):
    def test_a_line_for_each_figure(self) -> None:
        rows = load_report.rows(made_up.load_json())
        self.assertEqual([name for name, _ in rows[1:]], list(load_report.FIGURES))

    def test_what_has_not_been_measured_has_none(self) -> None:
        self.assertEqual(load_report.rows({"runs": [made_up.RUN]}), [["", "measured"]])


if __name__ == "__main__":
    unittest.main()
