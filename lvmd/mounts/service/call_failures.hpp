// The calls of the CSI driver that failed and have not succeeded since [P-MOUNT-22]. They are in
// memory only: after a restart of lvmd, kubelet repeats every call that still matters.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/error.hpp"

namespace lvmd::mounts {

// The calls of CSI's node service that change something. In the order of a volume's life.
enum class CsiCall : std::uint8_t { kStage, kPublish, kExpand, kUnpublish, kUnstage };

// "NodeStageVolume".
[[nodiscard]] std::string_view name_of(CsiCall call);

// Thread-safe.
class CallFailures {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // kubelet repeats a failed call after at most 2 minutes and 2 seconds as long as a pod needs it.
  // A failure that is older concerns nobody any more.
  static constexpr std::chrono::minutes kKept{10};
  // Beyond this number the oldest failure is dropped.
  static constexpr std::size_t kMaxFailures = 1024;

  struct Failure {
    std::string volume;
    CsiCall call = CsiCall::kStage;
    // The reason of the error, or the name of its code.
    std::string reason;
    std::string message;

    friend bool operator==(const Failure&, const Failure&) = default;
  };

  // Sets the callback for changes. It runs on the thread of the call, without a lock held. Set it
  // before the first failure.
  void on_change(std::function<void()> callback) { changed_ = std::move(callback); }

  // A call for the volume with this name failed. Replaces the earlier failure of the same call.
  // Ignores ABORTED, which says only that another call for the volume is in progress, and
  // RESTORE_UNDER_WAY: the volume is not whole yet, and kubelet calls again.
  void record(std::string_view volume, CsiCall call, const Error& error,
              Time now = std::chrono::steady_clock::now());

  // Drops the call's failure, and those that its success has overtaken: NodeStageVolume and
  // NodeUnstageVolume undo each other, as do NodePublishVolume and NodeUnpublishVolume. A published
  // volume is staged. A volume that is not staged is not published, and need not grow.
  void succeeded(std::string_view volume, CsiCall call);

  // The failures that are not too old, by volume and then by call.
  [[nodiscard]] std::vector<Failure> list(Time now = std::chrono::steady_clock::now());

  // When the next failure becomes too old. Absent: there is none.
  [[nodiscard]] std::optional<Time> next_end() const;

 private:
  struct Key {
    std::string volume;
    CsiCall call;

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Entry {
    Time at;
    std::string reason;
    std::string message;
  };

  std::function<void()> changed_;
  mutable std::mutex mutex_;
  std::map<Key, Entry> failures_;
};

}  // namespace lvmd::mounts
