// Follows which volumes CSI uses, and sends each change to the streams of MountService.Watch.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/model/kubelet_target.hpp"
#include "lvmd/mounts/service/call_failures.hpp"
#include "lvmd/server/broadcast.hpp"
#include "lvmd/v1/mount.pb.h"

namespace lvmd::mounts {

// Where the kernel's tables are; other files in tests.
struct KernelTables {
  std::string mountinfo = "/proc/self/mountinfo";
  std::filesystem::path sysfs = "/sys";
};

// One thread, which waits for a change of the mount table of this process. The host's mounts are in
// it, because the server's mount namespace is a slave of the host's (supervisor/sandbox.cpp).
// Nothing runs while nothing changes. Thread-safe.
class UseWatch {
 public:
  // Whether a volume group is one of lvmd.yaml. Any thread.
  using KnowsGroup = std::function<bool(std::string_view volume_group)>;

  // Changes within this time are one message [P-MOUNT-23].
  static constexpr std::chrono::milliseconds kQuiet{100};

  // Without `kubelet`, lvmd has no CSI driver: the only message is empty. `failures` must outlive
  // the watch.
  UseWatch(std::optional<model::KubeletRoot> kubelet, CallFailures& failures,
           KnowsGroup knows_group, KernelTables tables = {});
  UseWatch(const UseWatch&) = delete;
  UseWatch& operator=(const UseWatch&) = delete;
  ~UseWatch() { stop(); }

  // Makes the first message, and starts the thread. Call it once. A mount table that cannot be read
  // is logged and read again after a second; the first message waits for it.
  [[nodiscard]] Status start();

  // Every message is the whole present state.
  [[nodiscard]] server::Broadcast<v1::VolumesInUse>& feed() { return feed_; }

  // Something other than the mount table has changed: reads everything again soon.
  void refresh() const;

  // Ends the thread. Idempotent.
  void stop();

 private:
  void watch(bool published);
  // False if the mount table cannot be read.
  [[nodiscard]] bool publish();
  // -1: until something changes.
  [[nodiscard]] int timeout_milliseconds(bool published) const;

  const std::optional<model::KubeletRoot> kubelet_;
  CallFailures& failures_;
  const KnowsGroup knows_group_;
  const KernelTables tables_;
  server::Broadcast<v1::VolumesInUse> feed_;
  UniqueFd mounts_;
  UniqueFd changed_;
  UniqueFd stop_;
  std::thread thread_;
};

}  // namespace lvmd::mounts
