// What a thread that reads a channel does between two events.
#pragma once

#include "lvmd/base/heap.hpp"
#include "lvmd/ipc/channel.hpp"

namespace lvmd::ipc {

// Channel::receive(); when nothing has come for a while, memory that is free goes back to the
// kernel before it waits again.
template <typename Message>
[[nodiscard]] auto receive_or_trim(Channel& channel) {
  if (const auto readable = channel.wait_readable(kRestBeforeTrim); readable && !*readable)
    trim_heap();
  return channel.receive<Message>();
}

}  // namespace lvmd::ipc
