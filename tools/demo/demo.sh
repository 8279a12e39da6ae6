#!/usr/bin/env bash
# Creates a logical volume from a manifest, grows it, lists it, snapshots it and removes it. `./dev
# demo` runs this script in the test VM. With --here it runs on this host, on a volume group in a
# file, without changes to the host's own groups.
set -euo pipefail

here=false
[ "${1-}" = --here ] && here=true
volume_group=lvmd-demo
work=$(mktemp -d /tmp/lvmd-demo.XXXXXX)
manifests=$work/manifests
state=$work/state
mkdir "$manifests" "$state"
reconciler_pid=
lvmd_pid=
loop=

# shellcheck source=telling.sh
. "$(dirname "${BASH_SOURCE[0]}")/telling.sh"

clean_up() {
  local status=$?
  trap - EXIT
  if [ $status -ne 0 ]; then
    echo "demo: failed (exit code $status); the reconciler's log:" >&2
    tail -n 20 "$work/reconciler.log" >&2 2>/dev/null || true
    $here || journalctl -u lvmd --no-pager -n 20 >&2 || true
  fi
  [ -z "$reconciler_pid" ] || kill "$reconciler_pid" 2>/dev/null || true
  if $here; then
    [ -z "$lvmd_pid" ] || { kill "$lvmd_pid" 2>/dev/null; wait "$lvmd_pid" || true; }
    vgremove -ff -y $volume_group >/dev/null 2>&1 || true
    [ -z "$loop" ] || { pvremove -ff -y "$loop" >/dev/null 2>&1; losetup -d "$loop"; } || true
  fi
  rm -rf "$work"
  exit $status
}
trap clean_up EXIT

# ── A separate volume group with a thin pool, and a configuration for it ───────────────────────────
make_volume_group() {
  local device
  if $here; then
    truncate -s 2G "$work/disk"
    loop=$(losetup --find --show "$work/disk")
    device=$loop
  else
    device=/dev/disk/by-id/virtio-data0
  fi
  run vgcreate -q $volume_group "$device"
  run lvcreate -q -y --type thin-pool -L 512M -n pool $volume_group
}

write_config() {
  cat <<YAML
socket-name: $1
device-classes:
  - name: ssd
    volume-group: $volume_group
    default: true
    spare-gb: 0
  - name: thin
    volume-group: $volume_group
    type: thin
    spare-gb: 0
    thin-pool:
      name: pool
      overprovision-ratio: 5.0
YAML
}

start_lvmd() {
  if $here; then
    socket=$work/lvmd.sock
    write_config "$socket" >"$work/lvmd.yaml"
    getent passwd lvmd-server >/dev/null ||
      systemd-sysusers "$LVMD_DEMO_TREE/usr/lib/sysusers.d/lvmd.conf"
    LVMD_LIBEXEC=$LVMD_DEMO_TREE/usr/lib/lvmd \
      "$LVMD_DEMO_TREE/usr/sbin/lvmd" --config "$work/lvmd.yaml" &
    lvmd_pid=$!
    reconciler=$LVMD_DEMO_TREE/usr/bin/lvmd-reconciler
  else
    socket=/run/topolvm/lvmd.sock
    mkdir -p /etc/topolvm
    write_config $socket >/etc/topolvm/lvmd.yaml
    run cat /etc/topolvm/lvmd.yaml
    run systemctl enable --now -q lvmd.socket lvmd.service
    run systemctl --no-pager --lines=0 status lvmd.service
    reconciler=lvmd-reconciler
  fi
  until_true "lvmd to serve" grpcurl -plaintext "unix://$socket" proto.VGService/GetFreeBytes
}

manifest() { # SIZE
  cat <<YAML
apiVersion: topolvm.io/v1
kind: LogicalVolume
metadata:
  name: demo
spec:
  name: demo
  deviceClass: thin
  size: $1
YAML
}

status_has() { grep -q "$1" "$state/demo.status.yaml"; }
volume_id() { sed -n 's/^ *volumeID: *//p' "$state/demo.status.yaml" | tr -d '"'; }
show_volumes() { run lvs -o lv_name,lv_size,lv_attr,pool_lv,origin $volume_group; }

say "A volume group with a thin pool, and lvmd for it"
make_volume_group
start_lvmd

say "The reconciler, on a folder of manifests"
printf '\033[36m$ %s\033[0m\n' "lvmd-reconciler --store=directory --manifests=$manifests &"
"$reconciler" --store=directory --manifests="$manifests" --state-dir="$state" --delete-after=2s \
  --lvmd-socket="$socket" >"$work/reconciler.log" 2>&1 &
reconciler_pid=$!
until_true "the folder's marker" test -e "$manifests/.lvmd-reconciler"

say "A manifest in the folder requests a volume of 100 MiB"
manifest 100Mi >"$work/new" && mv "$work/new" "$manifests/demo.yaml"
run cat "$manifests/demo.yaml"
until_true "the volume's status" status_has volumeID
run cat "$state/demo.status.yaml"
show_volumes
uuid=$(volume_id)
lvs --noheadings -o lv_name "$volume_group/$uuid" >/dev/null

say "It grows to 200 MiB"
manifest 200Mi >"$work/new" && mv "$work/new" "$manifests/demo.yaml"
until_true "the volume to grow" sh -c "lvs --noheadings --units m --nosuffix -o lv_size $volume_group/$uuid | grep -q '200.00'"
show_volumes

say "The same over gRPC, by hand"
run grpcurl -plaintext -d '{"device_class":"thin"}' "unix://$socket" proto.VGService/GetLVList

say "A read-only thin snapshot of it"
run grpcurl -plaintext -d "{\"name\":\"snap\",\"device_class\":\"thin\",\"source_volume\":\"$uuid\",\"access_type\":\"ro\"}" \
  "unix://$socket" proto.LVService/CreateLVSnapshot
show_volumes
run grpcurl -plaintext -d '{"name":"snap","device_class":"thin"}' "unix://$socket" proto.LVService/RemoveLV

say "The manifest is deleted, and the volume is removed"
run rm "$manifests/demo.yaml"
until_true "the volume to go" sh -c "! lvs $volume_group/$uuid"
show_volumes
left=$(lvs --noheadings -o lv_name -S 'lv_name!=pool' $volume_group | wc -l)
[ "$left" -eq 0 ]
say "No volume is left. $(printf 'The demo took %d s.' $SECONDS)"
