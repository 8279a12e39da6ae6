// The edge of every call: its limit, its log entry, and the conversion of its result.
#pragma once

#include <grpcpp/support/status.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "csi/controller/waiter.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/result.hpp"

namespace grpc {
class ServerContext;
}

namespace lvmd::controller {

// One call, for the log and the metrics.
struct CallInfo {
  std::string_view method;
  // The volume, snapshot or name of the request; may be empty.
  std::string subject{};
  // Of the entry of a call that succeeds.
  log::Priority priority = log::Priority::kInfo;
};

// Safe from every thread.
class CallEdge {
 public:
  using Ended =
      std::function<void(std::string_view method, Code code, std::chrono::nanoseconds duration)>;

  // Each call has a thread. A further one is refused with Unavailable, which the sidecars repeat:
  // after ResourceExhausted a pod would be scheduled elsewhere.
  static constexpr int kMaxCalls = 256;
  // The limit of a call whose client sets none.
  static constexpr std::chrono::minutes kLongestCall{10};
  // The error of a call at its deadline must reach the client before the client gives up.
  static constexpr std::chrono::milliseconds kReserve{200};

  // `ended` is called after each call.
  explicit CallEdge(Ended ended = {}) : ended_(std::move(ended)) {}

  // Runs `handle`, a function of CallLimit that returns a Status.
  template <typename Handle>
  [[nodiscard]] grpc::Status run(const grpc::ServerContext& context, const CallInfo& call,
                                 const Handle& handle) {
    const auto begin = std::chrono::steady_clock::now();
    const Running running{running_};
    if (running.count > kMaxCalls)
      return end(call, begin,
                 fail(Code::kUnavailable, "{} calls are running, which is the limit", kMaxCalls));
    try {
      return end(call, begin, handle(limit_of(context)));
    } catch (const std::exception& exception) {
      return end(call, begin, fail(Code::kInternal, "csi-controller failed: {}", exception.what()));
    }
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Running {
    explicit Running(std::atomic<int>& all) : calls(all), count(++all) {}
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() { --calls; }

    std::atomic<int>& calls;
    const int count;
  };

  [[nodiscard]] static CallLimit limit_of(const grpc::ServerContext& context);
  [[nodiscard]] grpc::Status end(const CallInfo& call, Time begin, const Status& result) const;

  const Ended ended_;
  std::atomic<int> running_ = 0;
};

}  // namespace lvmd::controller
