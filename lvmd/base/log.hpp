// Structured logging: one line for a person, fields for the journal.
//
// Entries go to journald's native socket when it is there, with PRIORITY, SYSLOG_IDENTIFIER and the
// given fields (LVMD_VG=, LVMD_LV=, ...); otherwise to stderr as "<priority>message key=value",
// which journald and a terminal both understand. Safe from every thread; one entry is never torn.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace lvmd::log {

// syslog(3)'s numbers, which the journal uses as PRIORITY.
enum class Priority : int {
  kError = 3,
  kWarning = 4,
  kNotice = 5,
  kInfo = 6,
  kDebug = 7,
};

// A journal field. The key is upper case ASCII, digits and '_', as journald demands.
struct Field {
  std::string_view key;
  std::string value;
};

using Fields = std::initializer_list<Field>;

// The fields of this project. Others may be added where they are used once.
inline constexpr std::string_view kVg = "LVMD_VG";
inline constexpr std::string_view kLv = "LVMD_LV";
inline constexpr std::string_view kTransfer = "LVMD_TRANSFER";
inline constexpr std::string_view kRequest = "LVMD_REQUEST";
inline constexpr std::string_view kPeerPid = "LVMD_PEER_PID";
inline constexpr std::string_view kPeerUid = "LVMD_PEER_UID";
inline constexpr std::string_view kDuration = "LVMD_DURATION_USEC";
inline constexpr std::string_view kCode = "LVMD_CODE";

// Names the process in every entry (SYSLOG_IDENTIFIER) and picks the sink: call it once, first in
// main, before any sandboxing hides the journal's socket. Entries less urgent than `threshold` are
// dropped.
void init(std::string_view identifier, Priority threshold = Priority::kInfo);

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
