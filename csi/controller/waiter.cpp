#include "csi/controller/waiter.hpp"

#include <algorithm>
#include <utility>

#include "csi/controller/progress.hpp"

namespace lvmd::controller {
namespace {

using Clock = std::chrono::steady_clock;
using reconciler::LogicalVolume;

// gRPC's synchronous calls cannot be woken when the caller leaves.
constexpr std::chrono::milliseconds kSlice{500};

}  // namespace

Status Waiter::check(const std::string& waiting_for) const {
  if (reports_.is_stopped()) return fail(Code::kUnavailable, "csi-controller is stopping");
  if (limit_.is_cancelled()) return fail(Code::kCancelled, "the caller has left");
  if (Clock::now() >= limit_.deadline)
    return fail(Code::kDeadlineExceeded, "LogicalVolume {} is not finished: {}", name_,
                waiting_for);
  return {};
}

Result<Report> Waiter::next(const LogicalVolume& current) {
  for (;;) {
    const auto until = std::min({limit_.deadline, next_read_, Clock::now() + kSlice});
    if (auto report = reports_.next(until)) {
      next_read_ = Clock::now() + kSilence;
      return std::move(*report);
    }
    if (auto may = check(waits_for(current)); !may) return std::unexpected(std::move(may.error()));
    if (Clock::now() < next_read_) continue;
    next_read_ = Clock::now() + kSilence;
    if (auto report = read(current)) return std::move(*report);
  }
}

std::optional<Report> Waiter::read(const LogicalVolume& current) {
  auto object = store_.read(name_);
  if (!object && object.error().code == Code::kNotFound) return Report{};
  if (!object || object->resource_version == current.resource_version) return std::nullopt;
  return Report{std::move(*object)};
}

}  // namespace lvmd::controller
