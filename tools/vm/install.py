"""The installation of the files on the disk `build`."""

# The steps of a package after the installation of its files.
INSTALL = """
set -eo pipefail
mount -o ro /dev/disk/by-id/virtio-build /media
tar -C /media --exclude=./lost+found --owner=0 --group=0 -cf - . |
  tar -C / --keep-directory-symlink --no-overwrite-dir -xf -
umount /media
ldconfig
systemd-sysusers
systemd-tmpfiles --create
systemctl daemon-reload
"""
INSTALL_SECONDS = 300.0
