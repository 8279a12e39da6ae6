// Who is told what a worker does while it does it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvmd::volumes::worker {

class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener(Listener&&) = delete;
  Listener& operator=(const Listener&) = delete;
  Listener& operator=(Listener&&) = delete;
  virtual ~Listener() = default;

  // A step starts that can take long ("lvcreate vg0/pvc-1"), and has ended. After `limit` the group
  // counts as not serving; absent: never, an LVM command may take hours.
  virtual void step_started(std::string_view what, std::optional<std::chrono::seconds> limit) = 0;
  virtual void step_ended() = 0;
  // These volumes, and no others, must not be seen. When this returns, they are not.
  virtual void hidden(const std::vector<std::string>& volumes) = 0;
};

}  // namespace lvmd::volumes::worker
