#include "lvmd/config/transfers_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "lvmd/config/roots.hpp"

namespace lvmd::config {
namespace {

struct Range {
  std::uint64_t min;
  std::uint64_t max;
};

constexpr Range kMemoryMib{.min = 128, .max = 1048576};
// The maximum is a thousand processors.
constexpr Range kCpuPercent{.min = 1, .max = 100000};
// systemd allows more. Above 1000, a transfer would have priority over most other services.
constexpr Range kIoWeight{.min = 1, .max = 1000};
constexpr Range kMaxRunning{.min = 1, .max = 64};

void read_number(Mapping& mapping, std::string_view key, Range range, std::uint64_t& value) {
  const auto given = mapping.whole_number(key, range.max);
  if (!given) return;
  if (*given < range.min)
    mapping.error(key, fmt::format("{} is too small: the minimum is {}", *given, range.min));
  value = *given;
}

void read_program(Mapping& mapping, std::string& path) {
  auto text = mapping.text("restic");
  if (!text) return;
  if (!text->starts_with('/') || text->ends_with('/'))
    mapping.error("restic", fmt::format("\"{}\" must be an absolute path of a file", *text));
  else if (std::ranges::any_of(*text, [](char c) { return c >= '\0' && c < ' '; }))
    mapping.error("restic", "contains a control character");
  path = std::move(*text);
}

}  // namespace

TransferSettings read_transfers(Mapping& root) {
  TransferSettings transfers;
  auto mapping = root.mapping("transfers");
  if (!mapping) return transfers;
  read_program(*mapping, transfers.restic);
  if (auto roots = read_roots(*mapping, "local-roots"); !roots.empty())
    transfers.local_roots = std::move(roots);
  read_number(*mapping, "memory-mib", kMemoryMib, transfers.memory_mib);
  read_number(*mapping, "cpu-percent", kCpuPercent, transfers.cpu_percent);
  read_number(*mapping, "io-weight", kIoWeight, transfers.io_weight);
  read_number(*mapping, "max-running", kMaxRunning, transfers.max_running);
  mapping->report_unknown_keys();
  return transfers;
}

}  // namespace lvmd::config
