"""A second volume group on a loop device, and lvmd.yaml with classes of it."""

from __future__ import annotations

from tools.vm import Machine

from .stage import VOLUME_GROUP

NAME = "vg_second"
_CONFIGURATION = "/etc/topolvm/lvmd.yaml"
_IMAGE = "/var/tmp/vg_second.img"


class SecondGroup:
    """Each method returns when LVM, udev and lvmd have applied the change, or have begun to. Raises
    CommandFailed."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._before = machine.read_file(_CONFIGURATION).decode()
        self._device = ""

    def make(self) -> None:
        self._device = self._shell(f"truncate -s 256M {_IMAGE} && losetup -f --show {_IMAGE}")
        self._shell(f"udevadm settle && vgcreate -q {NAME} {self._device}")

    def set_classes(self, thick: str = VOLUME_GROUP, **volume_groups: str) -> None:
        """Adds thick classes with these names to those of the stage, each with its volume group.
        Each group has at most one thick class. `thick` is the stage's."""
        classes = "".join(
            f"  - {{name: {name}, volume-group: {group}, spare-gb: 0}}\n"
            for name, group in volume_groups.items())
        text = self._before.replace("lvcreate-option-classes:",
                                    f"{classes}lvcreate-option-classes:")
        text = text.replace(f"{{name: thick, volume-group: {VOLUME_GROUP},",
                            f"{{name: thick, volume-group: {thick},")
        self._machine.write_file(_CONFIGURATION, text.encode())
        self._shell("systemctl reload lvmd.service")

    def detach(self) -> None:
        """As if the disk is removed from the running host."""
        self._shell(f"vgchange -q -an {NAME} && losetup -d {self._device} && udevadm settle")

    def attach(self) -> None:
        self._shell(f"losetup {self._device} {_IMAGE} && udevadm settle && vgchange -q -ay {NAME}")

    def volumes(self) -> list[str]:
        return self._shell(f"lvs --noheadings -o lv_name {NAME}").split()

    def remove(self) -> None:
        """Restores the state before `make`."""
        self.set_classes()
        self._machine.run(f"losetup {self._device} {_IMAGE}; udevadm settle; "
                          f"vgremove -q -ff -y {NAME}; losetup -d {self._device}; rm -f {_IMAGE}; "
                          "udevadm settle")

    def _shell(self, command: str) -> str:
        return self._machine.run(command, check=True).output.strip()
