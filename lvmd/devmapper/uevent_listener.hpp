// Receives kernel uevents of block devices.
#pragma once

#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/devmapper/block_event.hpp"

namespace lvmd::devmapper {

struct BlockEvents {
  std::vector<BlockEvent> events;
  // The kernel has dropped events: any device may have changed.
  bool lost = false;
};

// Needs the host's network namespace, the only one to which the kernel sends uevents, but no
// privilege. Not thread-safe.
class UeventListener {
 public:
  // The kernel queues all later events until drain() reads them.
  [[nodiscard]] static Result<UeventListener> open();

  // For poll(): readable if drain() has results. The caller must not read it.
  [[nodiscard]] int fd() const { return socket_.get(); }

  // The events since the last call, in order; does not block. If an event does not contain dm_name
  // and dm_uuid, they are read from sysfs, as long as the device exists.
  [[nodiscard]] Result<BlockEvents> drain();

 private:
  explicit UeventListener(UniqueFd socket) : socket_(std::move(socket)) {}

  UniqueFd socket_;
};

}  // namespace lvmd::devmapper
