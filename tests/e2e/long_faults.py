"""As test_faults.py, with more objects, so that it takes minutes. The ids in brackets are rules of
docs/reconciler.md."""

from .fault_case import FaultCase


class LongFaults(FaultCase):
    def test_200_objects_agree_after_faults_and_kills(self) -> None:
        """[R-RUN-1, R-RUN-4, R-RUN-6, R-FAIL-7, R-CREATE-7, E-CRASH-3]"""
        self.play(objects=200, per_round=15, kills=12, limit=600)
