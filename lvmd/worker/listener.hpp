// Who is told what a worker does while it does it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lvmd::worker {

class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener(Listener&&) = delete;
  Listener& operator=(const Listener&) = delete;
  Listener& operator=(Listener&&) = delete;
  virtual ~Listener() = default;

  // An LVM command starts ("lvcreate vg0/pvc-1"), and has ended.
  virtual void command_started(std::string_view summary) = 0;
  virtual void command_ended() = 0;
  // These volumes, and no others, must not be seen. When this returns, they are not.
  virtual void masked(const std::vector<std::string>& volumes) = 0;
};

}  // namespace lvmd::worker
