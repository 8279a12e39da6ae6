// LVM's local settings of the host (lvmlocal.conf(5)).
#pragma once

#include <string>

#include "tests/system/shell.hpp"

namespace lvmd::system_tests {

// /etc/lvm/lvmlocal.conf has this content while the object lives.
class Lvmlocal {
 public:
  explicit Lvmlocal(const std::string& content) {
    must("cp /etc/lvm/lvmlocal.conf /run/lvmlocal.kept");
    must("printf '" + content + "' > /etc/lvm/lvmlocal.conf");
  }
  Lvmlocal(const Lvmlocal&) = delete;
  Lvmlocal& operator=(const Lvmlocal&) = delete;
  ~Lvmlocal() { static_cast<void>(shell("mv /run/lvmlocal.kept /etc/lvm/lvmlocal.conf")); }
};

}  // namespace lvmd::system_tests
