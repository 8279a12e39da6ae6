// Prevents udev from scanning a device that LVM activates.
#pragma once

namespace lvmd::lvm {

// While an object of this class exists, the devices that the LVM library activates in this process
// have LVM's NOSCAN flag (DM_SUBSYSTEM_UDEV_FLAG0). udev then makes their links but looks for no
// signature, so mdadm, bcache and LVM's own rules do not claim them. LVM itself sets the flag only
// for a volume that it wipes. The flag is valid until the device's next event (11-dm-lvm.rules, on
// Debian 56-lvm.rules).
//
// The library has no setting for the flag and links its own libdevmapper. So a program that links
// this file overrides ioctl(): the override adds the flag when a device is resumed, and calls libc.
// One thread, as the LVM library; one object at a time.
class WithoutUdevScan {
 public:
  WithoutUdevScan();
  WithoutUdevScan(const WithoutUdevScan&) = delete;
  WithoutUdevScan& operator=(const WithoutUdevScan&) = delete;
  ~WithoutUdevScan();
};

}  // namespace lvmd::lvm
