#include "lvmd/volumes/worker/commands.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "lvmd/model/lvcreate_arguments.hpp"

namespace lvmd::volumes::worker {
namespace {

// Selects a volume that is no origin of thick snapshots, no external origin and no pool.
constexpr std::string_view kNoDependents =
    "lv_role!={thickorigin}&&lv_role!={extthinorigin}&&lv_layout!={pool}";

std::string path_of(const std::string& group, const std::string& name) {
  return fmt::format("{}/{}", group, name);
}

void add_tags(lvm::LvmCommand& command, const VolumeSpec& spec) {
  for (const std::string& tag : model::to_tags(spec.ownership)) command.assignment("--addtag", tag);
  for (const std::string& mark : spec.marks) command.assignment("--addtag", mark);
  for (const std::string& tag : spec.caller_tags) command.assignment("--addtag", tag);
}

struct SplitArguments {
  std::vector<std::string> options;
  // PVs. lvcreate reads the first operand as the group, so PVs follow the group.
  std::vector<std::string> devices;
};

SplitArguments split_arguments(std::span<const std::string> arguments) {
  SplitArguments split;
  std::vector<bool> is_operand(arguments.size());
  for (const model::LvcreateArgument& argument : model::parse_lvcreate_arguments(arguments))
    if (argument.kind == model::ArgumentKind::kOperand) is_operand[argument.index] = true;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    (is_operand[i] ? split.devices : split.options).push_back(arguments[i]);
  return split;
}

lvm::LvmCommand create(const VolumeSpec& spec, const NewVolume& volume, bool test) {
  const model::DeviceClass& device_class = spec.device_class;
  lvm::LvmCommand command{"lvcreate"};
  command.flag("-y");
  if (volume.udev_sync) {
    command.option("-W", "y");
  } else if (device_class.is_thin()) {
    // A new thin volume reads as zeros; -Z would apply to its pool.
    command.option("-W", "n").without_udev_sync();
  } else {
    command.wiped_by_caller();
  }
  if (test) command.flag("--test");
  command.option("-n", volume.name);
  if (device_class.is_thin())
    command.option("-V", fmt::format("{}b", volume.size.value));
  else
    command.option("-l", fmt::format("{}", volume.extents.value));
  add_tags(command, spec);
  const auto [options, devices] = split_arguments(volume.arguments);
  command.configured(options);
  if (device_class.is_thin())
    command.option("--thinpool", path_of(device_class.volume_group, device_class.thin_pool->name));
  else
    command.operand(device_class.volume_group);
  command.configured(devices);
  return command;
}

}  // namespace

lvm::LvmCommand create_command(const VolumeSpec& spec, const NewVolume& volume) {
  return create(spec, volume, /*test=*/false);
}

lvm::LvmCommand smallest_create_command(const VolumeSpec& spec, NewVolume volume,
                                        model::Bytes extent_size) {
  volume.size = extent_size;
  volume.extents = {1};
  return create(spec, volume, /*test=*/true);
}

lvm::LvmCommand snapshot_command(const VolumeSpec& spec, const std::string& name, bool udev_sync) {
  lvm::LvmCommand command{"lvcreate"};
  if (!udev_sync) command.without_udev_sync();
  command.flag("-y").flag("-s").option("-k", "n").option("-a", "y");
  if (spec.ownership.access_type == "ro") command.option("-p", "r");
  command.option("-n", name);
  add_tags(command, spec);
  command.operand(path_of(spec.device_class.volume_group, spec.ownership.source));
  return command;
}

lvm::LvmCommand resize_command(const std::string& group, const std::string& name,
                               model::Extents extents, bool udev_sync) {
  lvm::LvmCommand command{"lvresize"};
  if (!udev_sync) command.without_udev_sync();
  command.flag("-y").option("-l", fmt::format("{}", extents.value)).operand(path_of(group, name));
  return command;
}

lvm::LvmCommand smallest_resize_command(const std::string& group, const std::string& name) {
  return lvm::LvmCommand{"lvresize"}
      .flag("-y")
      .flag("--test")
      .option("-l", "+1")
      .operand(path_of(group, name));
}

lvm::LvmCommand remove_command(const std::string& group, const std::string& name, bool udev_sync) {
  lvm::LvmCommand command{"lvremove"};
  if (!udev_sync) command.without_udev_sync();
  // -f also removes everything that depends on the volume. LVM evaluates the selection under its
  // lock of the group, so it also protects dependents that another program has just created.
  command.flag("-f").flag("-y").assignment("--select", kNoDependents);
  command.operand(path_of(group, name));
  return command;
}

lvm::LvmCommand tags_command(const std::string& group, const std::string& name,
                             std::span<const std::string> add,
                             std::span<const std::string> remove) {
  lvm::LvmCommand command{"lvchange"};
  for (const std::string& tag : add) command.assignment("--addtag", tag);
  for (const std::string& tag : remove) command.assignment("--deltag", tag);
  command.operand(path_of(group, name));
  return command;
}

lvm::LvmCommand activate_command(const std::string& path) {
  return lvm::LvmCommand{"lvchange"}.flag("-y").option("-a", "y").operand(path);
}

lvm::LvmCommand refresh_command(const std::string& path) {
  return lvm::LvmCommand{"lvchange"}.flag("--refresh").operand(path);
}

}  // namespace lvmd::volumes::worker
