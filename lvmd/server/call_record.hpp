// One RPC as the log and the metrics show it.
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
  // Begins now, with a request number of its own. `method` is a literal ("CreateLV"); `success` is
  // how important a call is that went well. `metrics` must outlive it.
  CallRecord(std::string_view method, std::optional<PeerCredentials> peer, log::Priority success,
             Metrics& metrics);

  void set_volume(std::string_view name) { volume_ = name; }
  void set_volume_group(std::string_view name) { volume_group_ = name; }
  // What the call is about beside a volume. The fields are literals.
  struct Subject {
    // The log's field, and the key in the metadata of errors.
    std::string_view log_field;
    std::string_view key;
    // "backup x".
    std::string text;
  };
  void set_subject(Subject subject) { subject_ = std::move(subject); }

  // The error with the call's volume, group and subject in its metadata, as far as they are known
  // and not in it already [P-CODE-20].
  [[nodiscard]] Error located(Error error) const;

  // Writes the entry, as far as the peer may have one more (peer_log.hpp), and counts the call:
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
