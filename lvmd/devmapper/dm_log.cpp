#include "lvmd/devmapper/dm_log.hpp"

#include <libdevmapper.h>

#include <array>
#include <cstdarg>
#include <cstdio>

#include "lvmd/base/log.hpp"

namespace lvmd::devmapper {
namespace {

// The lowest three bits of libdevmapper's levels are syslog's levels. The other bits are flags.
constexpr int kLevelMask = 7;
constexpr int kWarning = 4;

__attribute__((format(printf, 5, 6))) void to_log(int level, const char* /*file*/, int /*line*/,
                                                  int /*errno_or_class*/, const char* format, ...) {
  if ((level & kLevelMask) > kWarning) return;
  std::array<char, 1024> text{};
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  if (length < 0) return;
  log::warning(fmt::format("libdevmapper: {}", text.data()));
}

}  // namespace

void route_log() { dm_log_with_errno_init(&to_log); }

}  // namespace lvmd::devmapper
