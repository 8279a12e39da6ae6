"""Many pods with a claim each, and a StatefulSet. The ids in brackets are goals of docs/goals.md."""

from __future__ import annotations

import json
import time
from typing import Any

from . import objects
from .claim import Claim
from .claim_case import ClaimCase
from .installation import THIN
from .objects import PATH
from .stage import VOLUME_GROUP, say

_PODS = 50
_SIZE = "64Mi"
_LIMIT_SECONDS = 900.0
_REPLICAS = 3


class Many(ClaimCase):
    def test_fifty_pods_with_a_claim_each(self) -> None:
        """[E-FLOW-1..8]"""
        names = [f"{self.name}-{number}" for number in range(_PODS)]
        begin = time.monotonic()
        pods = [objects.pod(name, f"echo {name} >{PATH}/name && sleep infinity", {PATH: name})
                for name in names]
        for pod in pods:
            # With so many at once, runc fails to start one now and then.
            pod["spec"]["restartPolicy"] = "OnFailure"
        self.create_all([objects.claim(name, THIN, _SIZE) for name in names] + pods)
        self.eventually(f"{_PODS} pods run",
                        lambda: self.phases(names).count("Running") == _PODS,
                        lambda: self.phases(names), _LIMIT_SECONDS)
        say(f"{_PODS} pods run after {time.monotonic() - begin:.0f} s")
        claims = [Claim(self.stage.plane, name) for name in names]
        for claim in claims:
            target = claim.pod_target(self.pod(claim.name)["metadata"]["uid"])
            self.eventually(f"{claim.name} has its own volume",
                            lambda: self.stage.node.run(f"cat {target}/name")[1] == claim.name,
                            lambda: self.stage.node.run(f"ls -la {target}")[1])

        handles = {claim.handle() for claim in claims}
        self.assertEqual(len(handles & self.volumes()), _PODS)
        begin = time.monotonic()
        for kind in ("pod", "persistentvolumeclaim"):
            self.stage.plane.kubectl("delete", kind, *names, "--timeout=600s")
        self.eventually("all volumes are gone",
                        lambda: not any(claim.logical_volume() for claim in claims),
                        lambda: [claim.name for claim in claims if claim.logical_volume()],
                        _LIMIT_SECONDS)
        say(f"all are gone after {time.monotonic() - begin:.0f} s")
        self.assertEqual(self.stage.node.run(
            "grep --no-messages --files-with-matches kubernetes.io~csi /proc/[0-9]*/mountinfo")[1],
            "")
        self.assertEqual(handles & self.volumes(), set())

    def create_all(self, manifests: list[dict[str, Any]]) -> None:
        """Creates the objects, and deletes them after the case."""
        everything = json.dumps({"apiVersion": "v1", "kind": "List", "items": manifests})
        self.addCleanup(self.stage.plane.kubectl, "delete", "--filename=-", "--ignore-not-found",
                        "--timeout=600s", input=everything)
        self.stage.plane.kubectl("create", "--filename=-", input=everything)

    def volumes(self) -> set[str]:
        """The names of all LVs."""
        return set(self.stage.node.shell(
            f"lvs --noheadings --options=lv_name {VOLUME_GROUP}").split())

    def phases(self, names: list[str]) -> list[str]:
        pods = self.stage.plane.read("/api/v1/namespaces/default/pods") or {}
        return [pod["status"]["phase"] for pod in pods["items"]
                if pod["metadata"]["name"] in names]


class StatefulSets(ClaimCase):
    def test_each_replica_keeps_its_volume(self) -> None:
        """[E-FLOW-1, E-FLOW-7, E-FLOW-8]"""
        names = [f"{self.name}-{number}" for number in range(_REPLICAS)]
        claims: list[Claim] = []
        self.addCleanup(lambda: [self.wait_until_removed(claim) for claim in claims])
        # The name of a claim is that of the template and of the pod.
        self.addCleanup(self.stage.plane.kubectl, "delete", "persistentvolumeclaim",
                        *(f"data-{name}" for name in names), "--ignore-not-found", "--timeout=90s")
        self.create(objects.stateful_set(self.name, "sleep infinity",
                                         objects.claim("data", THIN, _SIZE), _REPLICAS))
        for name in names:
            self.eventually(f"the pod {name} exists", lambda: self.exists(name), lambda: name)
            self.wait_for_pod(name)
            self.in_pod(f"test ! -e {PATH}/name && echo {name} >{PATH}/name && sync", name)
            claims.append(Claim(self.stage.plane, f"data-{name}"))
        uid = self.pod(names[1])["metadata"]["uid"]
        self.delete_pod(names[1])
        self.eventually("the pod is replaced",
                        lambda: self.exists(names[1])
                        and self.pod(names[1])["metadata"]["uid"] != uid, lambda: uid)
        self.wait_for_pod(names[1])
        self.assertEqual(self.in_pod(f"cat {PATH}/name", names[1]), names[1])

        self.scale(0)
        for name in names:
            self.stage.plane.kubectl("wait", "--for=delete", f"pod/{name}", "--timeout=90s")
        handles = self.stage.node.shell(f"lvs --noheadings --options=lv_name {VOLUME_GROUP}")
        for claim in claims:
            self.assertIn(claim.handle(), handles.split())
        self.scale(_REPLICAS)
        for name in names:
            self.eventually(f"the pod {name} exists", lambda: self.exists(name), lambda: name)
            self.wait_for_pod(name)
            self.assertEqual(self.in_pod(f"cat {PATH}/name", name), name)

    def scale(self, replicas: int) -> None:
        self.stage.plane.kubectl("scale", f"statefulset/{self.name}", f"--replicas={replicas}")

    def exists(self, pod: str) -> bool:
        return self.stage.plane.read(f"/api/v1/namespaces/default/pods/{pod}") is not None
