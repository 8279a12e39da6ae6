#include "lvmd/worker/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lvmd/model/available.hpp"
#include "lvmd/model/names.hpp"
#include "lvmd/model/ownership.hpp"
#include "lvmd/worker/identity.hpp"
#include "lvmd/worker/membership.hpp"

namespace lvmd::worker {
namespace {

// How lvcreate lays the volume out: the option class's words replace everything of the class's own.
struct Layout {
  std::uint32_t stripes = 1;
  std::string stripe_size;
  std::vector<std::string> options;
};

Layout layout_of(const model::DeviceClass& device_class, const model::OptionClass* option_class) {
  if (option_class != nullptr)
    return {.stripes = 1, .stripe_size = {}, .options = option_class->options};
  if (device_class.is_thin())
    return {.stripes = 1, .stripe_size = {}, .options = device_class.lvcreate_options};
  return {.stripes = std::max<std::uint32_t>(device_class.stripes, 1),
          .stripe_size = device_class.stripes == 0 ? "" : device_class.stripe_size,
          .options = device_class.lvcreate_options};
}

void add_tags(lvm::LvmCommand& command, const Wanted& wanted) {
  for (const std::string& tag : model::to_tags(wanted.ownership))
    command.assignment("--addtag", tag);
  for (const std::string& tag : wanted.caller_tags) command.assignment("--addtag", tag);
}

std::unexpected<Error> no_space(const model::DeviceClass& device_class, model::Bytes free,
                                model::Bytes requested) {
  return fail(Code::kResourceExhausted,
              "no enough space left on VG: free={}, requested={} (device class {}, volume group "
              "{}, spare {} bytes)",
              free.value, requested.value, device_class.name, device_class.volume_group,
              device_class.spare.value);
}

// The space that a volume of this layout may take. A layout that lvmd doesn't compute is held to
// the group's free space only: LVM has the last word (P-AVAIL-5).
Result<model::Bytes> space_for(const model::VolumeGroup& group,
                               const model::DeviceClass& device_class, const Layout& layout) {
  if (device_class.is_thin() || layout.options.empty())
    return model::available(group, device_class);
  return model::minus_floor_zero(model::largest_volume(group, 1), device_class.spare);
}

std::vector<std::string> without_repeats(const std::vector<std::string>& tags) {
  std::vector<std::string> result;
  for (const std::string& tag : tags)
    if (std::ranges::find(result, tag) == result.end()) result.push_back(tag);
  return result;
}

Status check_tags(const std::vector<std::string>& tags) {
  for (const std::string& tag : tags)
    if (auto valid = model::check_caller_tag("tags", tag); !valid) return valid;
  return {};
}

lvm::LvmCommand create_command(const Wanted& wanted, const std::string& name, model::Bytes size,
                               model::Extents extents, const Layout& layout, bool test) {
  const model::DeviceClass& device_class = wanted.device_class;
  lvm::LvmCommand command{"lvcreate"};
  command.flag("-y").option("-W", "y");
  if (test) command.flag("--test");
  command.option("-n", name);
  if (device_class.is_thin())
    command.option("-V", fmt::format("{}b", size.value));
  else
    command.option("-l", fmt::format("{}", extents.value));
  add_tags(command, wanted);
  if (layout.stripes > 1) {
    command.option("-i", fmt::format("{}", layout.stripes));
    if (!layout.stripe_size.empty()) command.option("-I", layout.stripe_size);
  }
  command.configured(layout.options);
  if (device_class.is_thin())
    command.option("--thinpool",
                   fmt::format("{}/{}", device_class.volume_group, device_class.thin_pool->name));
  else
    command.operand(device_class.volume_group);
  return command;
}

// Every Plan's commands can really be run: words and their number are checked before anything is.
Result<Plan> checked(Plan plan) {
  for (const lvm::LvmCommand& command : plan.commands)
    if (const auto line = command.line(); !line) return std::unexpected(line.error());
  return plan;
}

}  // namespace

Result<Plan> plan_create(const model::VolumeGroup& group, const model::ClassCatalog& catalog,
                         const CreateRequest& request) {
  const auto found = find_class(catalog, group, request.device_class);
  if (!found) return std::unexpected(found.error());
  const model::DeviceClass& device_class = **found;
  if (auto valid = model::check_new_lv_name("name", request.name, group.name); !valid)
    return std::unexpected(valid.error());
  if (auto valid = check_tags(request.tags); !valid) return std::unexpected(valid.error());
  const model::OptionClass* const option_class =
      request.option_class.empty() ? nullptr : catalog.find_option_class(request.option_class);
  if (option_class == nullptr && !request.option_class.empty())
    return fail(Code::kInvalidArgument, "lvcreate_option_class \"{}\" is not configured",
                request.option_class);
  if (request.size.value == 0)
    return fail(Code::kInvalidArgument, "size_bytes is 0, it must be larger");
  if (device_class.is_thin()) {
    if (const auto pool = model::find_thin_pool(group, *device_class.thin_pool); !pool)
      return std::unexpected(pool.error());
  }

  const Layout layout = layout_of(device_class, option_class);
  const model::Extents extents =
      model::round_up_to_extents(request.size, group.extent_size, layout.stripes);
  const model::Bytes size = model::to_bytes(extents, group.extent_size);
  const Wanted wanted{.device_class = device_class,
                      .ownership = {.device_class = device_class.name,
                                    .size = size,
                                    .option_class = request.option_class,
                                    .source = {},
                                    .access_type = {}},
                      .caller_tags = without_repeats(request.tags)};
  if (const model::LogicalVolume* const existing = group.find(request.name)) {
    if (auto same = check_identical(*existing, wanted); !same) return std::unexpected(same.error());
    return Plan{};
  }

  const auto free = space_for(group, device_class, layout);
  if (!free) return std::unexpected(free.error());
  if (size > *free) return no_space(device_class, *free, size);
  Plan plan{
      .commands = {create_command(wanted, request.name, size, extents, layout, /*test=*/false)},
      .creates = true,
      .blank = true};
  if (!layout.options.empty())
    plan.smallest = create_command(wanted, request.name, group.extent_size, {1}, layout,
                                   /*test=*/true);
  return checked(std::move(plan));
}

Result<Plan> plan_snapshot(const model::VolumeGroup& group, const model::ClassCatalog& catalog,
                           const SnapshotRequest& request) {
  const auto found = find_class(catalog, group, request.device_class);
  if (!found) return std::unexpected(found.error());
  const model::DeviceClass& device_class = **found;
  if (!device_class.is_thin())
    return fail(Code::kUnimplemented,
                "device class is not thin. Thick snapshots are not implemented yet (device class "
                "{})",
                device_class.name);
  if (auto valid = model::check_new_lv_name("name", request.name, group.name); !valid)
    return std::unexpected(valid.error());
  if (auto valid = check_tags(request.tags); !valid) return std::unexpected(valid.error());
  if (auto valid = model::check_lv_name("source_volume", request.source); !valid)
    return std::unexpected(valid.error());
  if (request.access_type != "ro" && request.access_type != "rw")
    return fail(Code::kInvalidArgument, "access_type \"{}\" is neither \"ro\" nor \"rw\"",
                request.access_type);
  if (const auto pool = model::find_thin_pool(group, *device_class.thin_pool); !pool)
    return std::unexpected(pool.error());

  const model::Bytes requested = model::to_bytes(
      model::round_up_to_extents(request.size, group.extent_size, 1), group.extent_size);
  Wanted wanted{.device_class = device_class,
                .ownership = {.device_class = device_class.name,
                              .size = requested,
                              .option_class = {},
                              .source = request.source,
                              .access_type = request.access_type},
                .caller_tags = without_repeats(request.tags)};
  if (const model::LogicalVolume* const existing = group.find(request.name)) {
    if (auto same = check_identical(*existing, wanted); !same) return std::unexpected(same.error());
    return Plan{};
  }

  const model::LogicalVolume* const source = group.find(request.source);
  if (source == nullptr || !source->is_visible())
    return fail(Code::kNotFound, "source logical volume {} is not found", request.source);
  if (source->role != model::LvRole::kThin)
    return fail(Code::kUnimplemented,
                "snapshot can be created for only thin volumes: source_volume {} is {}",
                request.source, kind_of(*source));
  if (source->pool != device_class.thin_pool->name)
    return fail(Code::kFailedPrecondition,
                "source_volume {} is in pool {}, device class {} uses pool {}", request.source,
                source->pool, device_class.name, device_class.thin_pool->name);
  if (request.size.value != 0 && request.size < source->size)
    return fail(Code::kOutOfRange,
                "size_bytes {} is less than the size of source_volume {}, {} bytes",
                request.size.value, request.source, source->size.value);
  const model::Bytes size = std::max(requested, source->size);
  wanted.ownership.size = size;
  const auto free = model::available(group, device_class);
  if (!free) return std::unexpected(free.error());
  if (size > *free) return no_space(device_class, *free, size);

  Plan plan{.commands = {}, .creates = true};
  lvm::LvmCommand snapshot{"lvcreate"};
  snapshot.flag("-y").flag("-s").option("-k", "n").option("-a", "y");
  if (request.access_type == "ro") snapshot.option("-p", "r");
  snapshot.option("-n", request.name);
  add_tags(snapshot, wanted);
  snapshot.operand(fmt::format("{}/{}", group.name, request.source));
  plan.commands.push_back(std::move(snapshot));
  if (size > source->size) {
    lvm::LvmCommand grow{"lvresize"};
    grow.flag("-y")
        .option("-l", fmt::format("{}", size.value / group.extent_size.value))
        .operand(fmt::format("{}/{}", group.name, request.name));
    plan.commands.push_back(std::move(grow));
  }
  return checked(std::move(plan));
}

Result<Plan> plan_resize(const model::VolumeGroup& group, const model::ClassCatalog& catalog,
                         const ResizeRequest& request) {
  const auto found = find_class(catalog, group, request.device_class);
  if (!found) return std::unexpected(found.error());
  const model::DeviceClass& device_class = **found;
  if (auto valid = model::check_lv_name("name", request.name); !valid)
    return std::unexpected(valid.error());
  if (device_class.is_thin()) {
    if (const auto pool = model::find_thin_pool(group, *device_class.thin_pool); !pool)
      return std::unexpected(pool.error());
  }
  const model::LogicalVolume* const lv = group.find(request.name);
  if (lv == nullptr || !is_volume_of(*lv, device_class))
    return fail(Code::kNotFound, "logical volume {} is not found in device class {}", request.name,
                device_class.name);
  if (request.size <= lv->size) return Plan{};

  const model::Extents extents = model::round_up_to_extents(
      request.size, group.extent_size, std::max<std::uint32_t>(lv->stripes, 1));
  const model::Bytes growth =
      model::minus_floor_zero(model::to_bytes(extents, group.extent_size), lv->size);
  const auto free = model::available(group, device_class);
  if (!free) return std::unexpected(free.error());
  if (growth > *free) return no_space(device_class, *free, growth);

  const std::string operand = fmt::format("{}/{}", group.name, request.name);
  Plan plan;
  plan.commands.push_back(lvm::LvmCommand{"lvresize"}
                              .flag("-y")
                              .option("-l", fmt::format("{}", extents.value))
                              .operand(operand));
  if (!device_class.is_thin())
    plan.smallest =
        lvm::LvmCommand{"lvresize"}.flag("-y").flag("--test").option("-l", "+1").operand(operand);
  return checked(std::move(plan));
}

Result<Plan> plan_remove(const model::VolumeGroup& group, const model::ClassCatalog& catalog,
                         const RemoveRequest& request) {
  const auto found = find_class(catalog, group, request.device_class);
  if (!found) {
    // A client must not take a renamed class for a removed volume (P-CLASS-2).
    return fail(Code::kFailedPrecondition, "{}", found.error().message);
  }
  const model::DeviceClass& device_class = **found;
  if (auto valid = model::check_lv_name("name", request.name); !valid)
    return std::unexpected(valid.error());
  const model::LogicalVolume* const lv = group.find(request.name);
  if (lv == nullptr)
    return fail(Code::kNotFound, "logical volume {} is not found in volume group {}", request.name,
                group.name);
  if (!is_volume_of(*lv, device_class))
    return fail(Code::kFailedPrecondition, "{} is {}, not a volume of device class {}",
                request.name, kind_of(*lv), device_class.name);
  std::vector<std::string> dependents;
  for (const model::LogicalVolume& other : group.logical_volumes)
    if (other.role == model::LvRole::kCowSnapshot && other.origin == lv->name)
      dependents.push_back(other.name);
  if (!dependents.empty())
    return fail(Code::kFailedPrecondition,
                "{} is the origin of the snapshots {}: remove them first", request.name,
                fmt::join(dependents, ", "));
  Plan plan;
  plan.commands.push_back(lvm::LvmCommand{"lvremove"}.flag("-f").flag("-y").operand(
      fmt::format("{}/{}", group.name, request.name)));
  return checked(std::move(plan));
}

}  // namespace lvmd::worker
