// Hears of block devices that come, change and go.
#pragma once

#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/devmapper/block_event.hpp"

namespace lvmd::devmapper {

struct BlockEvents {
  std::vector<BlockEvent> events;
  // The kernel had to drop some: everything may have changed.
  bool lost = false;
};

// Needs the host's network namespace (the kernel sends uevents nowhere else), no privilege. One
// thread at a time.
class UeventListener {
 public:
  // Events from now on are kept until they are drained.
  [[nodiscard]] static Result<UeventListener> open();

  // Readable when there is something to drain. Non-blocking; don't read it yourself.
  [[nodiscard]] int fd() const { return socket_.get(); }

  // What has come since the last time, in order; never waits. dm_name and dm_uuid are looked up in
  // sysfs where the kernel doesn't tell them and the device is still there.
  [[nodiscard]] Result<BlockEvents> drain();

 private:
  explicit UeventListener(UniqueFd socket) : socket_(std::move(socket)) {}

  UniqueFd socket_;
};

}  // namespace lvmd::devmapper
