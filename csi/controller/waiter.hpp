// Waits for the next report about an object, within the limit of a call. Rules: C-WAIT-2, C-WAIT-5.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "csi/controller/object_store.hpp"
#include "lvmd/base/result.hpp"

namespace lvmd::controller {

// How long a call may wait.
struct CallLimit {
  std::chrono::steady_clock::time_point deadline;
  // The caller has left.
  std::function<bool()> is_cancelled = [] { return false; };
};

// Create it before the request, so that no report is missed. For one thread.
class Waiter {
 public:
  // Without a report for this time, the object is read from the API server.
  static constexpr std::chrono::seconds kSilence{30};

  // The references must outlive the waiter.
  Waiter(ObjectStore& store, std::string name, const CallLimit& limit)
      : store_(store),
        name_(std::move(name)),
        limit_(limit),
        reports_(store.subscribe(name_)),
        next_read_(std::chrono::steady_clock::now() + kSilence) {}

  // The next state. `current` is the last one. DeadlineExceeded at the limit, with what the call
  // waits for. Cancelled when the caller has left. Unavailable after a stop.
  [[nodiscard]] Result<Report> next(const reconciler::LogicalVolume& current);

  // The same errors at the limit, without waiting.
  [[nodiscard]] Status check(const std::string& waiting_for) const;

 private:
  [[nodiscard]] std::optional<Report> read(const reconciler::LogicalVolume& current);

  ObjectStore& store_;
  const std::string name_;
  const CallLimit& limit_;
  Subscription reports_;
  std::chrono::steady_clock::time_point next_read_;
};

}  // namespace lvmd::controller
