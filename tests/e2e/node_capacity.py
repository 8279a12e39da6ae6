"""The Node's annotations of the volume group's capacity, and LVM's values."""

import json

from .stage import NODE, VOLUME_GROUP, Stage

PREFIX = "capacity.topolvm.io/"
LEGACY_PREFIX = "capacity.topolvm.cybozu.com/"
_OVERPROVISION_RATIO = 5


def told(stage: Stage, prefix: str = PREFIX) -> dict[str, str]:
    """The Node's annotations with that prefix, without the prefix."""
    node = json.loads(stage.plane.kubectl("get", "node", NODE, "--output=json"))
    return {key.removeprefix(prefix): value
            for key, value in node["metadata"].get("annotations", {}).items()
            if key.startswith(prefix)}


def true(stage: Stage) -> dict[str, str]:
    """From LVM's values of the group and its pool."""
    free = stage.machine.run(
        f"vgs --noheadings --units b --nosuffix -o vg_free {VOLUME_GROUP}",
        check=True).output.strip()
    volumes = stage.volumes()
    promised = sum(volume["lv_size"] for volume in volumes.values()
                   if volume["pool_lv"] == "pool")
    thin = _OVERPROVISION_RATIO * volumes["pool"]["lv_size"] - promised
    return {"00default": free, "thick": free, "thin": str(thin)}
