// How large an entry of the log can get, and whether it is written at all.
//
// What callers send can be in an entry. So a message or value beyond its limit is cut, and says how
// long it was.
#pragma once

#include <cstddef>

#include "lvmd/base/log.hpp"

namespace lvmd::log {

// In bytes, before the note of a cut.
inline constexpr std::size_t kLongestMessage = 4096;
inline constexpr std::size_t kLongestValue = 512;

// Whether write() would drop an entry of this priority.
[[nodiscard]] bool drops(Priority priority);

}  // namespace lvmd::log
