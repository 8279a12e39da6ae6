#include "lvmd/server/call_record.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/server/peer_log.hpp"

namespace lvmd::server {
namespace {

// Errors of lvmd or of the host need an operator's attention; errors of callers don't.
log::Priority priority_of(Code code, log::Priority success) {
  if (code == Code::kOk) return success;
  if (code == Code::kInternal || code == Code::kUnknown) return log::Priority::kError;
  if (code == Code::kUnavailable || code == Code::kResourceExhausted)
    return log::Priority::kWarning;
  return log::Priority::kInfo;
}

}  // namespace

CallRecord::CallRecord(std::string_view method, std::optional<PeerCredentials> peer,
                       log::Priority success, Metrics& metrics)
    : method_(method), peer_(std::move(peer)), success_(success), metrics_(&metrics) {
  static std::atomic<std::uint64_t> last{0};
  number_ = ++last;
}

Error CallRecord::located(Error error) const {
  const auto add = [&error](std::string_view key, const std::string& value) {
    const bool is_there =
        std::ranges::find(error.metadata, key, &std::pair<std::string, std::string>::first) !=
        error.metadata.end();
    if (!value.empty() && !is_there) error.metadata.emplace_back(key, value);
  };
  add(key::kVg, volume_group_);
  add(key::kLv, volume_);
  if (subject_) add(subject_->key, subject_->text);
  return error;
}

void CallRecord::finish(Code code, std::string_view message) const {
  const auto took = monotonic_now() - begin_;
  metrics_->call_finished(method_, code, took);
  const log::Priority priority = priority_of(code, success_);
  if (log::drops(priority)) return;
  const auto duration = std::chrono::duration_cast<std::chrono::microseconds>(took);
  std::string line{method_};
  if (!volume_group_.empty()) line += " " + volume_group_ + (volume_.empty() ? "" : "/");
  if (volume_group_.empty() && !volume_.empty()) line += " ";
  line += volume_;
  if (subject_) line += fmt::format(" ({})", subject_->text);
  line += fmt::format(": {}", to_string(code));
  if (!message.empty()) line += fmt::format(": {}", message);
  peer_log::write(
      peer_ ? PeerLogLimit::User{peer_->uid} : std::nullopt, priority, line,
      {{log::kRequest, fmt::format("{}", number_)},
       {log::kPeerPid, peer_ ? fmt::format("{}", peer_->pid) : ""},
       {log::kPeerUid, peer_ ? fmt::format("{}", peer_->uid) : ""},
       {log::kVg, volume_group_},
       {log::kLv, volume_},
       {subject_ ? subject_->log_field : std::string_view{}, subject_ ? subject_->text : ""},
       {log::kCode, std::string{to_string(code)}},
       {log::kDuration, fmt::format("{}", duration.count())}});
}

}  // namespace lvmd::server
