#include "tests/system/loop_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <sstream>

#include "tests/system/shell.hpp"

namespace lvmd::system_tests {

LoopGroup::LoopGroup(std::string name, int count, Sizes sizes) : name_(std::move(name)) {
  // LVM makes the nodes itself: that udev is done with each volume is no matter here, and takes
  // most of the time.
  setenv("DM_DISABLE_UDEV", "1", 1);
  must("mountpoint -q /run/loops || { mkdir -p /run/loops && mount -t tmpfs tmpfs /run/loops; }");
  for (int i = 0; i < count; ++i)
    devices_.push_back(output_of(
        fmt::format("truncate -s {1} {0} && losetup -f --show {0}", file(i), sizes.device)));
  must(fmt::format("pvcreate -q -y --metadatasize {} --dataalignment {} {}", sizes.metadata,
                   sizes.alignment, fmt::join(devices_, " ")));
  // udev's events would activate what a case leaves inactive.
  must(fmt::format("vgcreate -q --setautoactivation n -s {} {} {}", sizes.extent, name_,
                   fmt::join(devices_, " ")));
}

LoopGroup::~LoopGroup() {
  // Volumes that LVM can't take down any more are taken down below it, several layers deep. A node
  // that stayed behind would make each LVM command that opens it wait for the kernel to look for a
  // driver.
  static_cast<void>(shell(
      fmt::format("vgchange -q -an {0}; for i in 1 2 3 4 5; do dmsetup ls | sed -n "
                  "'s/^\\({0}[-_][^\t]*\\)\t.*/\\1/p' | xargs -r dmsetup remove -f --retry; done; "
                  "losetup -d {1}; rm -rf /run/loops/{0}.* /dev/{0} /dev/mapper/{0}[-_]*",
                  name_, fmt::join(devices_, " "))));
  unsetenv("DM_DISABLE_UDEV");
}

const std::string& LoopGroup::device(int index) const {
  return devices_.at(static_cast<std::size_t>(index));
}

std::string LoopGroup::file(int index) const {
  return fmt::format("/run/loops/{}.{}", name_, index);
}

void LoopGroup::detach(int index) const {
  must(fmt::format("losetup -d {0} && udevadm settle", device(index)));
}

void LoopGroup::attach(int index) const {
  must(fmt::format("losetup {0} {1} && udevadm settle", device(index), file(index)));
}

model::VgAccess LoopGroup::access() const {
  std::istringstream lines{output_of(
      fmt::format("vgs --unbuffered --noheadings -o pv_name,vg_systemid {} 2>/dev/null", name_))};
  model::VgAccess access;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    std::string device;
    words >> device;
    if (device.starts_with('/')) access.devices.push_back(device);
    words >> access.system_id;
  }
  return access;
}

}  // namespace lvmd::system_tests
