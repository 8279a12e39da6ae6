// Receives events of block devices.
#pragma once

#include <cstdint>
#include <utility>
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

enum class EventSource : std::uint8_t {
  kKernel,
  // The kernel, and udev when it has handled an event of the kernel.
  kKernelAndUdev,
};

// Needs the host's network namespace, the only one to which the kernel sends uevents, but no
// privilege. Not thread-safe.
class UeventListener {
 public:
  // The kernel queues all later events until drain() reads them.
  [[nodiscard]] static Result<UeventListener> open(EventSource source = EventSource::kKernel);

  // For poll(): readable if drain() has results. The caller must not read it.
  [[nodiscard]] int fd() const { return socket_.get(); }

  // The events since the last call, in order; does not block. With EventSource::kKernel, if an
  // event does not contain dm_name and dm_uuid, they are read from sysfs, as long as the device
  // exists.
  [[nodiscard]] Result<BlockEvents> drain();

 private:
  UeventListener(UniqueFd socket, EventSource source)
      : socket_(std::move(socket)), source_(source) {}

  UniqueFd socket_;
  EventSource source_;
};

}  // namespace lvmd::devmapper
