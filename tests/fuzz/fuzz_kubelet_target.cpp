// A path that is accepted as a target of kubelet is formed again from the target's parts, stays
// below the root and has no "..". Options of a CSI volume that are accepted can be read again, and
// none of them contains what could become another option.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/model/csi_options.hpp"
#include "lvmd/model/kubelet_target.hpp"

using namespace lvmd;
using namespace lvmd::model;

namespace {

void check_refusal(const Error& error) {
  if (error.code != Code::kInvalidArgument || error.message.empty()) std::abort();
}

void check_target(std::string_view path, const KubeletTarget& target, const KubeletRoot& root) {
  if (!is_plain_path(path) || !is_below(path, root.path) || path.contains("..")) std::abort();
  if (!check_kubelet_target(target)) std::abort();
}

void fuzz_path(std::string_view path) {
  const KubeletRoot root{.path = "/var/lib/kubelet", .driver = "topolvm.io"};
  const auto target = parse_kubelet_target("target_path", path, root);
  if (target) {
    check_target(path, *target, root);
    if (path_of(place_of(*target, root)) != path) std::abort();
  } else {
    check_refusal(target.error());
  }
  if (const auto device = published_device(path, root)) {
    if (target) std::abort();
    check_target(path, *device, root);
  }
  for (const char* const other : {"", "/", "/var/lib/kubelet/"})
    if (parse_kubelet_target("target_path", path, {.path = other, .driver = "topolvm.io"}))
      std::abort();
}

// The text is one flag in each line.
void fuzz_options(std::string_view text, std::string_view fs_type) {
  std::vector<std::string> flags;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    flags.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto options = parse_csi_options(flags, fs_type);
  if (!options) return check_refusal(options.error());

  std::vector<std::string> again = options->place;
  again.insert(again.end(), options->file_system.begin(), options->file_system.end());
  for (const std::string& option : again)
    if (std::ranges::any_of(option, [](char c) { return c <= ' ' || c > '~' || c == ','; }))
      std::abort();
  if (options->read_only) again.emplace_back("ro");
  if (options->context.find_first_of("\"\\ \n") != std::string::npos) std::abort();
  if (!options->context.empty()) again.push_back(fmt::format("context=\"{}\"", options->context));
  if (parse_csi_options(again, fs_type) != options) std::abort();
  if (again.empty()) return;
  const std::vector<std::string> one_flag{fmt::format("{}", fmt::join(again, ","))};
  if (parse_csi_options(one_flag, fs_type) != options) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte says what the others are: a path, or the options of a type of file system.
  constexpr std::array<std::string_view, 4> kTypes{"", "ext4", "xfs", "btrfs"};
  const std::string_view type = kTypes.at(data[0] % kTypes.size());
  const std::string_view text{reinterpret_cast<const char*>(data + 1), size - 1};
  if (type.empty())
    fuzz_path(text);
  else
    fuzz_options(text, type);
  return 0;
}
