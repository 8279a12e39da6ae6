#pragma once

#include <cstdint>

namespace lvmd::supervisor {

// A capability (CAP_CHOWN) in a set, as the kernel and systemd number them.
[[nodiscard]] constexpr std::uint64_t capability_bit(unsigned capability) {
  return std::uint64_t{1} << capability;
}

}  // namespace lvmd::supervisor
