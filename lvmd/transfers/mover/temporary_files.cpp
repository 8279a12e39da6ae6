#include "lvmd/transfers/mover/temporary_files.hpp"

#include <algorithm>
#include <string_view>

#include "lvmd/base/parse_number.hpp"

namespace lvmd::transfers::mover {
namespace {

// restic collects data in a file, and sends the file when it has at least 16 MiB. The last part of
// it has up to 8 MiB. Source: restic, internal/repository/packer_manager.go and its chunker.
constexpr std::uint64_t kMostFileBytes = std::uint64_t{24} << 20U;
// Two for the contents of files and two for directories.
constexpr std::uint64_t kFilledFiles = 4;
// For S3 and REST; 2 for a folder. restic sends one file on each connection at a time.
constexpr std::uint64_t kDefaultConnections = 5;
constexpr std::uint64_t kShareOfLimit = 4;

std::uint64_t connections(const v1::Repository& repository) {
  std::uint64_t most = kDefaultConnections;
  for (const auto& [name, value] : repository.options())
    if (std::string_view{name}.ends_with(".connections"))
      most = std::max(most, parse_number<std::uint64_t>(value).value_or(UINT32_MAX));
  return std::min(most, std::uint64_t{UINT32_MAX});
}

}  // namespace

std::uint64_t temporary_memory(const internal::MoverJob& job) {
  const std::uint64_t share = job.settings().memory_limit_bytes() / kShareOfLimit;
  const std::uint64_t needed = (kFilledFiles + connections(job.repository())) * kMostFileBytes;
  return needed <= share ? share : 0;
}

}  // namespace lvmd::transfers::mover
