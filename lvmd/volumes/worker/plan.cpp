#include "lvmd/volumes/worker/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/available.hpp"
#include "lvmd/model/layout.hpp"
#include "lvmd/model/lvcreate_arguments.hpp"
#include "lvmd/model/membership.hpp"
#include "lvmd/model/metadata_space.hpp"
#include "lvmd/model/names.hpp"
#include "lvmd/model/ownership.hpp"
#include "lvmd/model/request_rules.hpp"
#include "lvmd/volumes/worker/commands.hpp"
#include "lvmd/volumes/worker/find_volume.hpp"
#include "lvmd/volumes/worker/identity.hpp"
#include "lvmd/volumes/worker/removal.hpp"
#include "lvmd/volumes/worker/space.hpp"
#include "lvmd/volumes/worker/udev_sync.hpp"

namespace lvmd::volumes::worker {
namespace {

// The tags that the configured arguments add. A repeated request must accept them on the volume.
std::vector<std::string> tags_of(std::span<const std::string> arguments) {
  std::vector<std::string> tags;
  for (const model::LvcreateArgument& argument : model::parse_lvcreate_arguments(arguments))
    if (argument.option == "addtag") tags.emplace_back(argument.value);
  return tags;
}

Status check_marks(std::span<const std::string> marks) {
  for (const std::string& mark : marks)
    if (auto valid = model::check_mark(mark); !valid) return valid;
  return {};
}

Intent intent_of(Intent::Kind kind, const model::VolumeGroup& group, const std::string& name,
                 const model::LogicalVolume* lv, const model::Ownership& ownership) {
  return {.kind = kind,
          .volume = name,
          .vg_id = group.id,
          .seqno = group.seqno,
          .lv_id = lv == nullptr ? "" : lv->id,
          .ownership = ownership};
}

// Refuses a plan with a command that LVM cannot parse, before any command runs.
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
  auto tags = model::distinct_tags(request.tags);
  if (!tags) return std::unexpected(tags.error());
  if (auto valid = check_marks(request.marks); !valid) return std::unexpected(valid.error());
  if (auto valid = model::check_option_class(catalog, request.option_class); !valid)
    return std::unexpected(valid.error());
  const auto requested = static_cast<std::int64_t>(request.size.value);
  if (auto valid = model::check_create_size(device_class, requested); !valid)
    return std::unexpected(valid.error());
  if (auto usable = model::check_pool_usable(group, device_class); !usable)
    return std::unexpected(usable.error());

  const model::OptionClass* const option_class =
      request.option_class.empty() ? nullptr : catalog.find_option_class(request.option_class);
  const std::vector<std::string> arguments = model::lvcreate_arguments(device_class, option_class);
  const model::Layout layout =
      device_class.is_thin() ? model::Layout{} : model::layout_of(arguments);
  const model::Extents extents =
      model::round_up_to_extents(request.size, group.extent_size, layout.stripes);
  const model::Bytes size = model::to_bytes(extents, group.extent_size);
  const VolumeSpec spec{.device_class = device_class,
                        .ownership = {.device_class = device_class.name,
                                      .size = size,
                                      .option_class = request.option_class},
                        .caller_tags = *std::move(tags),
                        .configured_tags = tags_of(arguments),
                        .marks = request.marks};
  if (const model::LogicalVolume* const existing = group.find(request.name)) {
    if (auto same = check_identical(*existing, spec); !same) return std::unexpected(same.error());
    return Plan{};
  }

  if (auto fits = check_space(group, device_class, option_class, size); !fits)
    return std::unexpected(fits.error());
  if (auto fits = model::check_metadata_space(group, model::least_text(spec.caller_tags)); !fits)
    return std::unexpected(fits.error());
  if (!device_class.is_thin() && !model::has_space_for(group, layout, size))
    return fail(Code::kResourceExhausted,
                "LVM cannot allocate {} extents for this layout from the free extents of volume "
                "group {}, although it can allocate a different number: request another size",
                extents.value, group.name)
        .because(reason::kNotEnoughSpace)
        .with(key::kDeviceClass, device_class.name)
        .with(key::kRequested, size.value);
  const NewVolume volume{.name = request.name,
                         .size = size,
                         .extents = extents,
                         .arguments = arguments,
                         .udev_sync = needs_udev_sync(group, device_class, option_class)};
  Plan plan{
      .commands = {create_command(spec, volume)},
      .intent = intent_of(Intent::Kind::kCreate, group, request.name, nullptr, spec.ownership),
      .text = model::most_text(spec.caller_tags, layout.areas())};
  if (!arguments.empty()) plan.smallest = smallest_create_command(spec, volume, group.extent_size);
  return checked(std::move(plan));
}

Result<Plan> plan_snapshot(const model::VolumeGroup& group, const model::ClassCatalog& catalog,
                           const SnapshotRequest& request) {
  const auto found = find_class(catalog, group, request.device_class);
  if (!found) return std::unexpected(found.error());
  const model::DeviceClass& device_class = **found;
  if (auto valid = model::check_snapshot_class(device_class); !valid)
    return std::unexpected(valid.error());
  if (auto valid = model::check_new_lv_name("name", request.name, group.name); !valid)
    return std::unexpected(valid.error());
  auto tags = model::distinct_tags(request.tags);
  if (!tags) return std::unexpected(tags.error());
  if (auto valid = check_marks(request.marks); !valid) return std::unexpected(valid.error());
  if (auto valid = model::check_lv_name("source_volume", request.source); !valid)
    return std::unexpected(valid.error());
  if (auto valid = model::check_access_type(request.access_type); !valid)
    return std::unexpected(valid.error());
  if (auto usable = model::check_pool_usable(group, device_class); !usable)
    return std::unexpected(usable.error());

  const model::Bytes requested = model::to_bytes(
      model::round_up_to_extents(request.size, group.extent_size, 1), group.extent_size);
  VolumeSpec spec{.device_class = device_class,
                  .ownership = {.device_class = device_class.name,
                                .size = requested,
                                .source = request.source,
                                .access_type = request.access_type},
                  .caller_tags = *std::move(tags),
                  .marks = request.marks};
  if (const model::LogicalVolume* const existing = group.find(request.name)) {
    if (auto same = check_identical(*existing, spec); !same) return std::unexpected(same.error());
    return Plan{};
  }

  const model::LogicalVolume* const source = group.find(request.source);
  if (source == nullptr || !source->is_visible())
    return fail(Code::kNotFound, "source logical volume {} is not found", request.source)
        .because(reason::kSourceNotFound)
        .about("source_volume", request.source);
  if (source->role != model::LvRole::kThin)
    return fail(Code::kUnimplemented,
                "snapshot can be created for only thin volumes: source_volume {} is {}",
                request.source, model::kind_of(*source))
        .because(reason::kSourceNotThin)
        .about("source_volume", request.source);
  if (source->pool != device_class.thin_pool->name)
    return fail(Code::kFailedPrecondition,
                "source_volume {} is in pool {}, device class {} uses pool {}", request.source,
                source->pool, device_class.name, device_class.thin_pool->name)
        .because(reason::kSourceInOtherPool)
        .with(key::kPool, source->pool);
  if (request.size.value != 0 && request.size < source->size)
    return fail(Code::kOutOfRange,
                "size_bytes {} is less than the size of source_volume {}, {} bytes",
                request.size.value, request.source, source->size.value)
        .because(reason::kSmallerThanSource)
        .with(key::kField, "size_bytes")
        .with(key::kRequested, request.size.value)
        .with(key::kExisting, source->size.value);
  const model::Bytes size = std::max(requested, source->size);
  spec.ownership.size = size;
  if (auto fits = check_space(group, device_class, nullptr, size); !fits)
    return std::unexpected(fits.error());
  if (auto fits = model::check_metadata_space(group, model::least_text(spec.caller_tags)); !fits)
    return std::unexpected(fits.error());

  Plan plan{
      .commands = {},
      .intent = intent_of(Intent::Kind::kSnapshot, group, request.name, nullptr, spec.ownership),
      .text = model::most_text(spec.caller_tags, 1)};
  const bool udev_sync = needs_udev_sync(group, *source);
  plan.commands.push_back(snapshot_command(spec, request.name, udev_sync));
  if (size > source->size)
    plan.commands.push_back(resize_command(group.name, request.name,
                                           {size.value / group.extent_size.value}, udev_sync));
  return checked(std::move(plan));
}

Result<Plan> plan_resize(const model::VolumeGroup& group, const model::ClassCatalog& catalog,
                         const ResizeRequest& request) {
  const auto found = find_class(catalog, group, request.device_class);
  if (!found) return std::unexpected(found.error());
  const model::DeviceClass& device_class = **found;
  if (auto valid = model::check_lv_name("name", request.name); !valid)
    return std::unexpected(valid.error());
  if (auto usable = model::check_pool_usable(group, device_class); !usable)
    return std::unexpected(usable.error());
  const model::LogicalVolume* const lv = group.find(request.name);
  if (lv == nullptr || !model::is_volume_of(*lv, device_class))
    return fail(Code::kNotFound, "logical volume {} is not found in device class {}", request.name,
                device_class.name)
        .because(reason::kVolumeNotFound);
  if (request.size <= lv->size) return Plan{};

  // The layout of the volume counts, not the layout that the class has for new volumes.
  const model::Layout layout = device_class.is_thin() ? model::Layout{} : model::layout_of(*lv);
  const model::Extents extents =
      model::round_up_to_extents(request.size, group.extent_size, layout.stripes);
  const model::Bytes growth =
      model::minus_floor_zero(model::to_bytes(extents, group.extent_size), lv->size);
  if (auto fits = check_growth(group, device_class, layout, growth); !fits)
    return std::unexpected(fits.error());

  Plan plan{
      .commands = {resize_command(group.name, request.name, extents, needs_udev_sync(group, *lv))},
      .intent = intent_of(Intent::Kind::kResize, group, request.name, lv, {}),
      .text = model::most_text({}, layout.areas())};
  if (!device_class.is_thin()) plan.smallest = smallest_resize_command(group.name, request.name);
  return checked(std::move(plan));
}

Result<Plan> plan_remove(const model::VolumeGroup& group, const model::ClassCatalog& catalog,
                         const RemoveRequest& request) {
  const auto found = find_volume(group, catalog, request.device_class, request.name);
  if (!found) return std::unexpected(found.error());
  const model::LogicalVolume* const lv = *found;
  if (auto removable = check_not_needed(group, *lv); !removable)
    return std::unexpected(removable.error());
  return checked(
      {.commands = {remove_command(group.name, request.name, needs_udev_sync(group, *lv))},
       .intent = intent_of(Intent::Kind::kRemove, group, request.name, lv, {})});
}

}  // namespace lvmd::volumes::worker
