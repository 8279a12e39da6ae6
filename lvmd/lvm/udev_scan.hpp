// Keeping udev from looking into a device that LVM activates.
#pragma once

namespace lvmd::lvm {

// While one lives, the devices that the LVM library activates in this process carry LVM's NOSCAN
// flag (DM_SUBSYSTEM_UDEV_FLAG0): udev makes their links, but looks for no signature, so that
// mdadm, bcache and LVM's own rules claim nothing. LVM sets the flag by itself only for a volume
// that it wipes. udev keeps to it until the device's next event (11-dm-lvm.rules, on Debian
// 56-lvm.rules).
//
// The library has no setting for it, and a libdevmapper of its own within. So a program that links
// this file has an ioctl() of its own, which adds the flag when a device is resumed, and calls
// libc's. Not for several threads, as the LVM library itself.
class WithoutUdevScan {
 public:
  WithoutUdevScan();
  WithoutUdevScan(const WithoutUdevScan&) = delete;
  WithoutUdevScan(WithoutUdevScan&&) = delete;
  WithoutUdevScan& operator=(const WithoutUdevScan&) = delete;
  WithoutUdevScan& operator=(WithoutUdevScan&&) = delete;
  ~WithoutUdevScan();
};

}  // namespace lvmd::lvm
