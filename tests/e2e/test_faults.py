"""A bad network, an API server with errors, and kills. The ids in brackets are rules of
docs/reconciler.md."""

from .fault_case import FaultCase


class Faults(FaultCase):
    def test_all_agree_after_faults_and_kills(self) -> None:
        """[R-RUN-1, R-RUN-4, R-FAIL-7, R-KUBE-2, R-KUBE-3, R-KUBE-7..10, R-CAP-4, E-CRASH-3]"""
        self.play(objects=24, per_round=5, kills=5, limit=180)
