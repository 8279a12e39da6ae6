// Structured logging: a message for a person, and fields for programs.
//
// If stderr is the journal, entries go to journald's native socket with PRIORITY, SYSLOG_IDENTIFIER
// and the given fields (LVMD_VG=, LVMD_LV=, ...). Otherwise they go to stderr as one line
// "<priority>identifier: message key=value"; on a terminal without the priority. All functions are
// thread-safe, and entries are not interleaved. An entry that cannot be written is lost.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace lvmd::log {

// The priorities of syslog(3), which the journal uses too.
enum class Priority : int {
  kError = 3,
  kWarning = 4,
  kNotice = 5,
  kInfo = 6,
  kDebug = 7,
};

// Limits in bytes [P-SOCK-26]. A longer text is cut, and the entry contains its length: entries
// may contain texts of callers.
inline constexpr std::size_t kLongestMessage = 4096;
inline constexpr std::size_t kLongestValue = 512;

// A field of the journal. journald requires that the key consists of A-Z, 0-9 and '_'.
struct Field {
  std::string_view key;
  std::string value;
};

using Fields = std::initializer_list<Field>;

// Keys that several files use. A key with a single user is defined there.
inline constexpr std::string_view kVg = "LVMD_VG";
inline constexpr std::string_view kLv = "LVMD_LV";
inline constexpr std::string_view kTransfer = "LVMD_TRANSFER";
inline constexpr std::string_view kRequest = "LVMD_REQUEST";
inline constexpr std::string_view kPeerPid = "LVMD_PEER_PID";
inline constexpr std::string_view kPeerUid = "LVMD_PEER_UID";
inline constexpr std::string_view kDuration = "LVMD_DURATION_USEC";
inline constexpr std::string_view kCode = "LVMD_CODE";

// Sets the SYSLOG_IDENTIFIER of all entries and selects journal or stderr. Call it once, at the
// start of main, before a sandbox hides the journal's socket. write() drops entries that are less
// urgent than `threshold`.
void init(std::string_view identifier, Priority threshold = Priority::kInfo);

// True if write() drops entries of this priority.
[[nodiscard]] bool drops(Priority priority);

void write(Priority priority, std::string_view message, Fields fields = {});

inline void error(std::string_view message, Fields fields = {}) {
  write(Priority::kError, message, fields);
}
inline void warning(std::string_view message, Fields fields = {}) {
  write(Priority::kWarning, message, fields);
}
inline void notice(std::string_view message, Fields fields = {}) {
  write(Priority::kNotice, message, fields);
}
inline void info(std::string_view message, Fields fields = {}) {
  write(Priority::kInfo, message, fields);
}
inline void debug(std::string_view message, Fields fields = {}) {
  write(Priority::kDebug, message, fields);
}

}  // namespace lvmd::log
