// One RPC in the log and in the metrics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lvmd/base/clock.hpp"
#include "lvmd/base/error.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/server/metrics.hpp"
#include "lvmd/server/peer_check.hpp"

namespace lvmd::server {

class CallRecord {
 public:
  // Starts the call's time and gives it a new request number. `method` is a string literal
  // ("CreateLV"). `success` is the log priority of a call that succeeds. `metrics` must outlive the
  // record.
  CallRecord(std::string_view method, std::optional<PeerCredentials> peer, log::Priority success,
             Metrics& metrics);

  void set_volume(std::string_view name) { volume_ = name; }
  void set_volume_group(std::string_view name) { volume_group_ = name; }
  // The call's subject other than a volume. The views refer to string literals.
  struct Subject {
    // The name of the log field.
    std::string_view log_field;
    // The key in the metadata of errors.
    std::string_view key;
    // "backup x".
    std::string text;
  };
  void set_subject(Subject subject) { subject_ = std::move(subject); }

  // Returns the error with the call's volume, group and subject added to its metadata, as far as
  // they are known. Keys that the metadata already has stay [P-CODE-20].
  [[nodiscard]] Error located(Error error) const;

  // Writes the log entry, subject to the peer's limit (peer_log.hpp), and counts the call. Call it
  // once, when the answer is decided. kOk with an empty message is success.
  void finish(Code code, std::string_view message) const;

 private:
  std::string_view method_;
  std::optional<PeerCredentials> peer_;
  log::Priority success_;
  Metrics* metrics_;
  std::uint64_t number_;
  MonotonicTime begin_ = monotonic_now();
  std::string volume_group_;
  std::string volume_;
  std::optional<Subject> subject_;
};

}  // namespace lvmd::server
