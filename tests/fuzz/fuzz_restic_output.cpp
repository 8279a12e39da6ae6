// What restic prints is read or refused; a snapshot or a lock that is read has a whole id.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lvmd/transfers/mover/restic_output.hpp"

using namespace lvmd;

namespace {

constexpr std::size_t kIdLength = 64;

void check_line(std::string_view line) {
  static_cast<void>(transfers::mover::parse_output(line));
  // A message's text may be empty; a line that is no message is told as it is.
  const transfers::mover::ErrorLine error = transfers::mover::parse_error_line(line);
  if (error.text.size() > 2 * line.size() + 2) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    check_line(text.substr(at, end - at));
    at = end + 1;
  }
  if (const auto snapshots = transfers::mover::parse_snapshots(text))
    for (const transfers::mover::Snapshot& snapshot : *snapshots)
      if (snapshot.id.size() != kIdLength) std::abort();
  if (const auto snapshot = transfers::mover::parse_snapshot(text); !snapshot)
    if (snapshot.error().message.empty()) std::abort();
  if (const auto lock = transfers::mover::parse_lock(text); !lock)
    if (lock.error().message.empty()) std::abort();
  for (const std::string& id : transfers::mover::parse_ids(text))
    if (id.size() != kIdLength) std::abort();
  return 0;
}
