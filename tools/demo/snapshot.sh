#!/usr/bin/env bash
# Writes a volume, backs up a snapshot of it, destroys both, and restores the backup to a new volume
# in another volume group. `./dev demo snapshot` runs this script in the test VM.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=telling.sh
. "$here/telling.sh"
socket=unix:///run/topolvm/lvmd.sock
mounts=/run/lvmd/mounts
repository=/var/lib/lvmd/repositories/demo
work=$(mktemp -d /tmp/lvmd-demo.XXXXXX)

clean_up() {
  local status=$?
  trap - EXIT
  if [ $status -ne 0 ]; then
    echo "demo: failed (exit code $status); lvmd's log:" >&2
    journalctl -u lvmd -u 'lvmd-transfer-*' --no-pager -n 30 >&2 || true
  fi
  rm -rf "$work"
  exit $status
}
trap clean_up EXIT

# call METHOD REQUEST: passes the request on standard input, so that no password is an argument.
call() {
  printf '\033[36m$ grpcurl -plaintext -d @ %s %s <<<%s\033[0m\n' "$socket" "$1" "'${2//"$password"/…}'"
  printf '%s' "$2" | grpcurl -plaintext -d @ "$socket" "$1"
}

# watch OPERATION ID: shows a bar until the transfer has ended. Fails unless it has succeeded.
watch() {
  printf '\033[36m$ grpcurl … lvmd.v1.TransferService/Watch   (shown as a bar)\033[0m\n'
  printf '{"operation":"OPERATION_%s","id":"%s"}' "$1" "$2" |
    grpcurl -plaintext -emit-defaults -d @ "$socket" lvmd.v1.TransferService/Watch |
    python3 "$here/progress_bar.py"
}

# All properties of every file, except those that a copy can't have: inode, times of access and
# change.
tell_tree() {
  (cd "$1" && find . -name lost+found -prune -o -printf '%p %M %U:%G %n %s %T@ %l\n' | sort)
  (cd "$1" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
}

password=$(head -c 18 /dev/urandom | base64)
target="\"repository\":{\"location\":\"$repository\"},\"credentials\":{\"password\":\"$password\"}"

say "Two volume groups, a disk for backups, and lvmd"
run vgcreate -q vg-fast /dev/disk/by-id/virtio-data0
run lvcreate -q -y --type thin-pool -L 4G -n pool vg-fast
run vgcreate -q vg-slow /dev/disk/by-id/virtio-data1
run mkfs.ext4 -q /dev/disk/by-id/virtio-data4
mkdir -p "$(dirname "$repository")" /etc/topolvm
run mount /dev/disk/by-id/virtio-data4 "$(dirname "$repository")"
cat >/etc/topolvm/lvmd.yaml <<'YAML'
device-classes:
  - {name: slow, volume-group: vg-slow, default: true, spare-gb: 0}
  - name: fast
    volume-group: vg-fast
    type: thin
    spare-gb: 0
    thin-pool: {name: pool, overprovision-ratio: 5.0}
YAML
run cat /etc/topolvm/lvmd.yaml
run systemctl enable --now -q lvmd.socket lvmd.service
until_true "lvmd to serve" grpcurl -plaintext "$socket" proto.VGService/GetFreeBytes

say "A volume, formatted and mounted in the host's mount namespace"
call proto.LVService/CreateLV '{"name":"data","device_class":"fast","size_bytes":1073741824}'
call lvmd.v1.MountService/Mount '{"name":"data","device_class":"fast","fs_type":"ext4","format":true}'
run findmnt "$mounts/data"

say "Files: 120 MB, a sparse file, a hard link, odd owners and modes"
mkdir -p "$mounts/data/photos"
for number in $(seq 1 24); do
  head -c 5M /dev/urandom >"$mounts/data/photos/$number.raw"
done
truncate -s 512M "$mounts/data/sparse" && echo end >>"$mounts/data/sparse"
ln "$mounts/data/photos/1.raw" "$mounts/data/favourite.raw"
ln -s photos/2.raw "$mounts/data/second"
install -d -o 1000 -g 1000 -m 2770 "$mounts/data/team"
sync
run du -sh "$mounts/data"

say "A read-only snapshot while the volume is mounted; then another write to the volume"
call proto.LVService/CreateLVSnapshot \
  '{"name":"data-snap","device_class":"fast","source_volume":"data","access_type":"ro"}' >"$work/answer"
run lvs -o lv_name,lv_size,lv_attr,pool_lv,origin vg-fast
echo "after the snapshot" >"$mounts/data/later"
call lvmd.v1.MountService/Mount '{"name":"data-snap","device_class":"fast"}' >"$work/answer"
tell_tree "$mounts/data-snap" >"$work/before"
call lvmd.v1.MountService/Unmount '{"name":"data-snap","device_class":"fast"}'

say "The snapshot is backed up into a repository of restic, encrypted, and read back"
call lvmd.v1.TransferService/StartBackup \
  "{\"id\":\"monday\",\"name\":\"data-snap\",\"device_class\":\"fast\",$target,\"verify\":true}" >"$work/answer"
watch BACKUP monday
RESTIC_PASSWORD=$password run restic -r "$repository" snapshots --compact

say "The volume and its snapshot are removed"
call lvmd.v1.MountService/Unmount '{"name":"data","device_class":"fast"}'
call proto.LVService/RemoveLV '{"name":"data","device_class":"fast"}'
call proto.LVService/RemoveLV '{"name":"data-snap","device_class":"fast"}'
run lvs -o lv_name,lv_size vg-fast

say "A new, blank volume in the other group; the backup is restored onto it and verified"
call proto.LVService/CreateLV '{"name":"data-again","device_class":"slow","size_bytes":1073741824}' >"$work/answer"
call lvmd.v1.TransferService/StartRestore \
  "{\"id\":\"tuesday\",\"name\":\"data-again\",\"device_class\":\"slow\",$target,\"backup_id\":\"monday\"}" >"$work/answer"
watch RESTORE tuesday

say "The restored files, compared with the original ones"
call lvmd.v1.MountService/Mount '{"name":"data-again","device_class":"slow","read_only":true}' >"$work/answer"
tell_tree "$mounts/data-again" >"$work/after"
run diff "$work/before" "$work/after"
printf '\033[32mThe same: %d lines about names, modes, owners, links, sizes, times and contents.\033[0m\n' \
  "$(wc -l <"$work/after")"
run du -sh --apparent-size "$mounts/data-again/sparse"
run du -sh "$mounts/data-again/sparse"

say "Cleaning up"
call lvmd.v1.TransferService/DeleteBackup "{\"id\":\"wednesday\",$target,\"backup_id\":\"monday\"}" >"$work/answer"
watch DELETE wednesday
call lvmd.v1.MountService/Unmount '{"name":"data-again","device_class":"slow"}'
call proto.LVService/RemoveLV '{"name":"data-again","device_class":"slow"}'
left=$(lvs --noheadings -o lv_name -S 'lv_name!=pool' vg-fast vg-slow | wc -l)
[ "$left" -eq 0 ]
[ "$(RESTIC_PASSWORD=$password restic -r "$repository" --json snapshots)" = '[]' ]
[ -z "$(findmnt -rno TARGET | grep "^$mounts/" || true)" ]
[ -z "$(pgrep -x restic || true)" ]
say "Nothing is left: no volume, no mount, no process, no snapshot. $(printf 'The demo took %d s.' $SECONDS)"
