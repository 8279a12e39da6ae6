#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/available.hpp"
#include "lvmd/model/metadata_space.hpp"
#include "lvmd/model/ownership.hpp"
#include "lvmd/volumes/worker/commands.hpp"
#include "lvmd/volumes/worker/find_volume.hpp"
#include "lvmd/volumes/worker/plan.hpp"

namespace lvmd::volumes::worker {
namespace {

bool contains(std::span<const std::string> tags, std::string_view tag) {
  return std::ranges::find(tags, tag) != tags.end();
}

Status check_request(const TagsRequest& request) {
  for (const auto* const tags : {&request.add, &request.remove})
    for (const std::string& tag : *tags)
      if (auto valid = model::check_mark(tag); !valid) return valid;
  for (const std::string& tag : request.add)
    if (contains(request.remove, tag))
      return fail(Code::kInvalidArgument,
                  "tag \"{}\" is both in the tags to add and in the tags to remove", tag);
  for (const std::string& key : request.replace)
    if (auto valid = model::check_mark(fmt::format("{}{}=value", model::kPrivateTagPrefix, key));
        !valid)
      return valid;
  return {};
}

std::string_view value_of(std::string_view tag) { return tag.substr(tag.find('=') + 1); }

// A key has at most one value.
Status check_single(const std::string& volume, std::span<const std::string> tags,
                    const std::string& added) {
  const std::string_view key = model::private_key(added);
  for (const std::string& tag : tags)
    if (tag != added && model::private_key(tag) == key)
      return fail(Code::kFailedPrecondition,
                  "volume {} has the mark {}={} and cannot have {}={} too", volume, key,
                  value_of(tag), key, value_of(added))
          .because(reason::kMarkDiffers)
          .about(key, value_of(added))
          .with(key::kExisting, value_of(tag));
  return {};
}

}  // namespace

Result<Plan> plan_tags(const model::VolumeGroup& group, const model::ClassCatalog& catalog,
                       const TagsRequest& request) {
  const auto found = find_volume(group, catalog, request.device_class, request.name);
  if (!found) return std::unexpected(found.error());
  const model::LogicalVolume& lv = **found;
  if (auto valid = check_request(request); !valid) return std::unexpected(valid.error());
  std::vector<std::string> removed;
  std::vector<std::string> after;
  for (const std::string& tag : lv.tags) {
    const bool replaced =
        contains(request.replace, model::private_key(tag)) && !contains(request.add, tag);
    (replaced || contains(request.remove, tag) ? removed : after).push_back(tag);
  }
  std::vector<std::string> added;
  for (const std::string& tag : request.add) {
    if (contains(after, tag)) continue;
    if (auto single = check_single(lv.name, after, tag); !single)
      return std::unexpected(single.error());
    added.push_back(tag);
    after.push_back(tag);
  }
  if (added.empty() && removed.empty()) return Plan{};
  if (auto complete = model::check_complete(group); !complete)
    return std::unexpected(complete.error());
  lvm::LvmCommand command = tags_command(group.name, lv.name, added, removed);
  if (const auto line = command.line(); !line) return std::unexpected(line.error());
  Plan plan{.commands = {std::move(command)}};
  plan.intent.volume = lv.name;
  plan.only_if_blank = request.only_if_blank && !added.empty();
  plan.one_commit = true;
  plan.text = model::least_text(added);
  return plan;
}

}  // namespace lvmd::volumes::worker
