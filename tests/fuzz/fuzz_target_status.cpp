// A status line of device-mapper is a status with usable numbers, or an error that says why.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lvmd/devmapper/target_status.hpp"

using namespace lvmd;

namespace {

constexpr std::array<std::string_view, 7> kTargets{
    "raid", "mirror", "cache", "writecache", "snapshot", "snapshot-merge", "snapshot-origin"};

bool usable(double percent) { return std::isfinite(percent) && percent >= 0; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte says whose line it is. The kernel's lines end at their first zero.
  const std::string whole{reinterpret_cast<const char*>(data + 1), size - 1};
  const std::string line = whole.substr(0, whole.find('\0'));
  const std::size_t target = data[0] % (kTargets.size() + 1);
  if (target == kTargets.size()) {
    const auto pool = devmapper::parse_thin_pool_status(line);
    if (!pool) {
      if (pool.error().message.empty()) std::abort();
      return 0;
    }
    if (pool->failed == pool->usage.has_value()) std::abort();
    if (pool->usage &&
        (!usable(pool->usage->data_percent) || !usable(pool->usage->metadata_percent)))
      std::abort();
    return 0;
  }
  const auto status = devmapper::parse_target_status(kTargets.at(target), line);
  if (!status && status.error().message.empty()) std::abort();
  return 0;
}
