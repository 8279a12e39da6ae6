#!/bin/sh
# enter_root.sh ROOT COMMAND...: runs COMMAND in ROOT. The caller gives it mount and PID namespaces
# of its own, so that every mount and every process made here is gone when it ends.
set -eu
root=$1
shift
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
exec chroot "$root" "$@"
