# mmdebstrap runs this script after the installation of the packages, with the new root as $1. It
# configures the root for the VM and makes a disk of it.
set -eu
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
root=$1
units=$root/etc/systemd/system
rm "$root/customize.sh"

chmod 755 "$root/usr/local/sbin/vm-agent"
chmod 644 "$units/vm-agent.service" "$root/etc/systemd/network/10-vm.network"
echo vm >"$root/etc/hostname"
printf '127.0.0.1 localhost vm\n10.0.2.2 host\n' >"$root/etc/hosts"
echo '/dev/vda / ext4 defaults 0 0' >"$root/etc/fstab"
sed -i 's/^root:[^:]*:/root::/' "$root/etc/shadow"
# With an empty file, systemd would treat this as a first boot and run its presets.
echo 6c766d642d746573742d766d00000001 >"$root/etc/machine-id"
# The host's package sources are useless here and may contain private addresses.
rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d"
rm -f "$root/etc/apt/apt.conf.d/99mmdebstrap" "$root/etc/resolv.conf"
: >"$root/etc/resolv.conf"

mkdir -p "$units/multi-user.target.wants"
ln -s ../vm-agent.service "$units/multi-user.target.wants/"
ln -s /lib/systemd/system/systemd-networkd.service "$units/multi-user.target.wants/"
# They delay boot or power-off, or would run during a measurement.
for unit in blk-availability.service e2scrub_reap.service systemd-networkd-wait-online.service \
  podman.service podman.socket podman-auto-update.service podman-restart.service \
  getty@tty1.service serial-getty@ttyS0.service \
  apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer \
  podman-auto-update.timer systemd-tmpfiles-clean.timer; do
  ln -sf /dev/null "$units/$unit"
done

# Nobody logs in. systemd would report each new device to logind by D-Bus, and changes of LVM would
# take a fifth more processor time.
ln -sf /dev/null "$units/systemd-logind.service"

out=$root.out
mkdir -p "$out"
cp -L "$root/vmlinuz" "$out/kernel"
cp -L "$root/initrd.img" "$out/initrd"

# mmdebstrap mounts /proc, /sys and /dev in the root if it may. A bind mount shows the root without
# them.
bare=$root.bare
mkdir -p "$bare"
if mount --bind "$root" "$bare" 2>/dev/null; then source=$bare; else source=$root; fi
# Without a journal, because writes to the disk are discarded after each run.
mke2fs -q -t ext4 -L root -O '^has_journal' -d "$source" "$out/root.raw" 8G
if [ "$source" = "$bare" ]; then umount "$bare"; fi
rmdir "$bare"
qemu-img convert -f raw -O qcow2 "$out/root.raw" "$out/root.qcow2"
rm "$out/root.raw"
# In the root, because mmdebstrap downloads only files of the root that it made.
mv "$out" "$root/vm-out"
