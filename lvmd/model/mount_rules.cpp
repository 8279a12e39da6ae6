#include "lvmd/model/mount_rules.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lvmd/base/reason.hpp"

namespace lvmd::model {
namespace {

Failure wrong_target(std::string_view field, std::string_view target, std::string_view rule) {
  return fail(Code::kInvalidArgument, "{} \"{}\" {}", field, target, rule)
      .because(reason::kInvalidTarget)
      .about(field, target);
}

}  // namespace

std::string path_of(const MountPlace& place) {
  return fmt::format("{}/{}", place.root, fmt::join(place.parts, "/"));
}

std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    parts.emplace_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return parts;
}

bool is_plain_path(std::string_view path) {
  if (path.size() < 2 || !path.starts_with('/')) return false;
  return std::ranges::none_of(path_parts(path), [](const std::string& part) {
    return part.empty() || part == "." || part == ".." || part.find('\0') != std::string::npos;
  });
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() + 1 && path.starts_with(folder) && path[folder.size()] == '/';
}

Result<MountPlace> check_mount_target(std::string_view field, std::string_view target,
                                      std::span<const std::string> roots) {
  if (auto valid = check_target_length(field, target); !valid)
    return std::unexpected(std::move(valid.error()));
  if (!is_plain_path(target))
    return wrong_target(field, target,
                        "must be an absolute path without empty, \".\" and \"..\" parts");
  const auto root = std::ranges::find_if(
      roots, [target](const auto& folder) { return is_below(target, folder); });
  if (root == roots.end())
    return wrong_target(
        field, target,
        fmt::format("must be below one of lvmd.yaml's mount-roots: {}", fmt::join(roots, ", ")));
  return MountPlace{.root = *root, .parts = path_parts(target.substr(root->size()))};
}

Status check_target_length(std::string_view field, std::string_view target) {
  if (target.size() <= kMaxTargetLength) return {};
  return fail(Code::kInvalidArgument, "{} has {} bytes, at most {} are allowed", field,
              target.size(), kMaxTargetLength)
      .because(reason::kInvalidTarget)
      .with(key::kField, field)
      .with(key::kLimit, kMaxTargetLength);
}

Status check_file_system(std::string_view field, std::string_view type) {
  if (std::ranges::find(kFileSystems, type) != kFileSystems.end()) return {};
  return fail(Code::kInvalidArgument, "{} is \"{}\", it must be one of {}", field, type,
              fmt::join(kFileSystems, ", "))
      .because(reason::kInvalidFileSystem)
      .about(field, type);
}

Status check_mount_option(std::string_view field, std::string_view option) {
  if (std::ranges::find(kPlaceOptions, option) != kPlaceOptions.end() ||
      std::ranges::find(kFileSystemOptions, option) != kFileSystemOptions.end())
    return {};
  return fail(Code::kInvalidArgument, "{}: \"{}\" is not one of {}, {}", field, option,
              fmt::join(kPlaceOptions, ", "), fmt::join(kFileSystemOptions, ", "))
      .because(reason::kInvalidMountOption)
      .about(field, option);
}

}  // namespace lvmd::model
