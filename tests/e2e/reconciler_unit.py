"""lvmd-reconciler as an unprivileged service in the VM."""

from __future__ import annotations

from pathlib import Path

from tools.vm import Machine

USER = "e2e-reconciler"
UNIT = "e2e-reconciler.service"
_FOLDER = "/run/e2e-reconciler"
# The process has the rights of a pod of packaging/kubernetes/daemonset.yaml.
_UNIT_TEXT = f"""[Unit]
# Cases kill and start it as often as they like.
StartLimitIntervalSec=0

[Service]
Type=exec
User={USER}
SupplementaryGroups=lvmd
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
PrivateDevices=yes
TimeoutStopSec=10s
EnvironmentFile=-{_FOLDER}/flags
ExecStart=/usr/bin/lvmd-reconciler --store=kube --node-name={{node}} --kube-server={{server}} \\
  --kube-token-file={_FOLDER}/token --kube-ca-file={_FOLDER}/ca.crt \\
  --lvmd-socket=/run/topolvm/lvmd.sock --log-level=debug --listen-address=127.0.0.1:8080 $FLAGS
ExecStopPost=+/bin/sh -c 'echo "$$EXIT_CODE $$EXIT_STATUS" >{_FOLDER}/end'
"""


class ReconcilerUnit:
    """The service. Each method returns when systemd is done. Raises CommandFailed."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._node = ""

    def install(self, server: str, ca: Path, token: bytes, node: str) -> None:
        """Creates its user, its unit and the files that it needs to reach the API `server`."""
        self._shell(f"echo 'u {USER} - - -' | systemd-sysusers - && mkdir {_FOLDER}")
        self.set_authority(ca)
        self.set_token(token)
        self._node = node
        self.use_server(server)

    def use_server(self, server: str) -> None:
        """Sets the API server for its next start."""
        unit = _UNIT_TEXT.format(node=self._node, server=server)
        self._machine.write_file(f"/run/systemd/system/{UNIT}", unit.encode())
        self._shell("systemctl daemon-reload")

    def set_authority(self, ca: Path) -> None:
        """Replaces the file of the authority that it trusts, as a kubelet does."""
        self._machine.write_file(f"{_FOLDER}/new-ca.crt", ca.read_bytes())
        self._shell(f"mv {_FOLDER}/new-ca.crt {_FOLDER}/ca.crt")

    def set_token(self, token: bytes) -> None:
        """Replaces its token, as a kubelet does before the old one expires."""
        self._machine.write_file(f"{_FOLDER}/new-token", token, mode=0o400)
        self._shell(f"chown {USER} {_FOLDER}/new-token && mv {_FOLDER}/new-token {_FOLDER}/token")

    def set_flags(self, *flags: str) -> None:
        """Sets the additional flags for its next start."""
        self._machine.write_file(f"{_FOLDER}/flags", f"FLAGS={' '.join(flags)}\n".encode())

    def start(self) -> None:
        """No effect if it runs."""
        self._shell(f"systemctl start {UNIT}")

    def restart(self) -> None:
        """Starts it, or restarts it if it runs."""
        self._shell(f"systemctl restart {UNIT}")

    def stop(self) -> str:
        """Sends SIGTERM. Returns the result of the process, such as `exited 0`."""
        self._shell(f"rm -f {_FOLDER}/end && systemctl stop {UNIT}")
        return self._machine.read_file(f"{_FOLDER}/end").decode().strip()

    def kill(self) -> None:
        """Sends SIGKILL."""
        self._shell(f"systemctl kill --signal=KILL {UNIT} && "
                    f"while systemctl is-active --quiet {UNIT}; do sleep 0.1; done")

    def pid(self) -> int:
        return int(self._shell(f"systemctl show --value --property=MainPID {UNIT}"))

    def log(self, lines: int | None = None) -> str:
        """Its log since the boot, or the last `lines` of it."""
        which = "" if lines is None else f"--lines={lines}"
        return self._shell(f"journalctl --boot --no-pager --output=short-precise "
                           f"--unit={UNIT} {which}")

    def _shell(self, command: str) -> str:
        return self._machine.run(command, check=True).output.strip()
