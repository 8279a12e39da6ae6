#include "lvmd/mounts/mounter/content.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/model/mount_rules.hpp"
#include "lvmd/probe/blankness.hpp"
#include "lvmd/probe/make_filesystem.hpp"
#include "lvmd/probe/signatures.hpp"

namespace lvmd::mounts::mounter {
namespace {

Failure other_content(const OpenVolume& volume, const std::string& there, std::string_view wanted) {
  return fail(Code::kFailedPrecondition, "volume {} contains {}, {}", volume.name, there, wanted)
      .because(reason::kOtherContent)
      .with(key::kExisting, there);
}

Result<std::optional<probe::NotBlank>> patiently_why_not_blank(const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + kFormatPatience;
  for (;;) {
    auto why = probe::why_not_blank(path);
    if (!why || !*why || !(*why)->in_use || std::chrono::steady_clock::now() >= end) return why;
    std::this_thread::sleep_for(kFormatInterval);
  }
}

// Returns the type of the file system on the volume, or "" when the volume has no signature.
Result<std::string> content(const OpenVolume& volume, const std::string& wanted) {
  const auto found = probe::signatures(volume.path);
  if (!found) return std::unexpected(found.error());
  std::set<std::string> types;
  for (const probe::Signature& signature : *found) types.insert(signature.type);
  if (types.empty()) return "";
  std::string there = fmt::format("{}", fmt::join(types, " and "));
  if (types.size() > 1)
    return other_content(volume, there,
                         "and lvmd cannot decide which of them is valid: wipe the others");
  if (std::ranges::find(model::kFileSystems, there) == model::kFileSystems.end())
    return other_content(
        volume, there,
        fmt::format("but lvmd mounts only {}", fmt::join(model::kFileSystems, ", ")));
  if (!wanted.empty() && there != wanted)
    return other_content(volume, there, fmt::format("not {}", wanted));
  return there;
}

}  // namespace

Result<std::string> mountable_content(const OpenVolume& volume, const ContentSpec& spec) {
  const auto there = content(volume, spec.fs_type);
  if (!there || !there->empty()) return there;
  if (spec.format_as.empty())
    return fail(Code::kFailedPrecondition,
                "volume {} has no file system: set format and fs_type to create one", volume.name)
        .because(reason::kVolumeBlank);
  if (volume.read_only)
    return fail(Code::kFailedPrecondition,
                "volume {} is blank and read-only: lvmd cannot create a file system on it",
                volume.name)
        .because(reason::kVolumeBlank);
  const auto why = patiently_why_not_blank(volume.path);
  if (!why) return std::unexpected(why.error());
  if (*why) {
    // A program of a mounter that has died may have finished in the meantime.
    if (const auto by_now = content(volume, spec.fs_type); !by_now || !by_now->empty())
      return by_now;
    return fail(Code::kFailedPrecondition,
                "volume {} is not provably blank, so lvmd does not format it: {}: {}", volume.name,
                (*why)->why,
                (*why)->in_use ? "end the program that uses it"
                               : "if its content is not needed, zero its first MiB")
        .because(reason::kVolumeNotBlank);
  }
  failpoint("mounter.blank");
  if (auto made = probe::make_filesystem(volume.path, spec.format_as); !made)
    return std::unexpected(made.error());
  failpoint("mounter.made");
  return spec.format_as;
}

}  // namespace lvmd::mounts::mounter
