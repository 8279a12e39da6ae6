// A volume group of a case's own, on loop devices.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lvmd/model/vg_access.hpp"

namespace lvmd::system_tests {

// Files, devices and group live as long as the object; whatever state the case leaves the group in
// is cleared away.
class LoopGroup {
 public:
  // As LVM's options take them. The metadata areas are small, so that the text soon wraps in them.
  struct Sizes {
    const char* device = "256M";
    const char* extent = "1m";
    const char* metadata = "512k";
    // LVM makes the metadata area as large as this lets it.
    const char* alignment = "1m";
  };

  LoopGroup(std::string name, int count, Sizes sizes);
  LoopGroup(std::string name, int count) : LoopGroup(std::move(name), count, Sizes{}) {}
  LoopGroup(const LoopGroup&) = delete;
  LoopGroup& operator=(const LoopGroup&) = delete;
  ~LoopGroup();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int size() const { return static_cast<int>(devices_.size()); }
  // The node of a device, from 0 on.
  [[nodiscard]] const std::string& device(int index) const;

  // Takes a device away, as if its cable was pulled, and brings it back under the same name.
  void detach(int index) const;
  void attach(int index) const;

  // What LVM says now; the devices in the group's order, in which LVM prefers one of two alike.
  [[nodiscard]] model::VgAccess access() const;

 private:
  [[nodiscard]] std::string file(int index) const;

  std::string name_;
  std::vector<std::string> devices_;
};

}  // namespace lvmd::system_tests
