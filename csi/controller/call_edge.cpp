#include "csi/controller/call_edge.hpp"

#include <fmt/format.h>
#include <grpcpp/server_context.h>

#include <algorithm>

namespace lvmd::controller {
namespace {

constexpr std::string_view kMethodKey = "CSI_METHOD";
constexpr std::string_view kSubjectKey = "CSI_SUBJECT";

}  // namespace

CallLimit CallEdge::limit_of(const grpc::ServerContext& context) {
  // A call without a deadline has one at the end of time.
  const auto now = std::chrono::system_clock::now();
  const auto latest = now + kLongestCall;
  const auto left = std::min(context.deadline(), latest) - now - kReserve;
  return {.deadline = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::nanoseconds>(left),
          .is_cancelled = [&context] { return context.IsCancelled(); }};
}

grpc::Status CallEdge::end(const CallInfo& call, Time begin, const Status& result) const {
  const auto duration = std::chrono::steady_clock::now() - begin;
  const Code code = result ? Code::kOk : result.error().code;
  const auto priority = result ? call.priority : log::Priority::kWarning;
  if (!log::drops(priority)) {
    const auto usec = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
    const std::string message = result ? fmt::format("{} {}: OK", call.method, call.subject)
                                       : fmt::format("{} {}: {}: {}", call.method, call.subject,
                                                     to_string(code), describe(result.error()));
    log::write(priority, message,
               {{kMethodKey, std::string{call.method}},
                {kSubjectKey, call.subject},
                {log::kCode, std::string{to_string(code)}},
                {log::kDuration, fmt::format("{}", usec)}});
  }
  if (ended_) ended_(call.method, code, duration);
  if (result) return grpc::Status::OK;
  return {static_cast<grpc::StatusCode>(code), describe(result.error())};
}

}  // namespace lvmd::controller
