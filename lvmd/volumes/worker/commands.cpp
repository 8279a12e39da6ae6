#include "lvmd/volumes/worker/commands.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "lvmd/model/lvcreate_arguments.hpp"

namespace lvmd::volumes::worker {
namespace {

// No origin of thick snapshots, no external origin of thin volumes, no pool.
constexpr std::string_view kNothingElseGoes =
    "lv_role!={thickorigin}&&lv_role!={extthinorigin}&&lv_layout!={pool}";

std::string path_of(const std::string& group, const std::string& name) {
  return fmt::format("{}/{}", group, name);
}

void add_tags(lvm::LvmCommand& command, const Wanted& wanted) {
  for (const std::string& tag : model::to_tags(wanted.ownership))
    command.assignment("--addtag", tag);
  if (!wanted.owner.empty()) command.assignment("--addtag", model::owner_tag(wanted.owner));
  for (const std::string& tag : wanted.caller_tags) command.assignment("--addtag", tag);
}

struct CommandWords {
  std::vector<std::string> options;
  // PVs: lvcreate takes the first word that is no option for the group, so they go behind it.
  std::vector<std::string> devices;
};

CommandWords split_operands(std::span<const std::string> words) {
  CommandWords split;
  std::vector<bool> is_operand(words.size());
  for (const model::LvcreateArgument& word : model::parse_lvcreate_arguments(words))
    if (word.kind == model::ArgumentKind::kOperand) is_operand[word.index] = true;
  for (std::size_t i = 0; i < words.size(); ++i)
    (is_operand[i] ? split.devices : split.options).push_back(words[i]);
  return split;
}

lvm::LvmCommand create(const Wanted& wanted, const NewVolume& volume, bool test) {
  const model::DeviceClass& device_class = wanted.device_class;
  lvm::LvmCommand command{"lvcreate"};
  command.flag("-y");
  if (volume.udev_sync) {
    command.option("-W", "y");
  } else if (device_class.is_thin()) {
    // Blank by itself; -Z would be about its pool.
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
  add_tags(command, wanted);
  const auto [options, devices] = split_operands(volume.words);
  command.configured(options);
  if (device_class.is_thin())
    command.option("--thinpool", path_of(device_class.volume_group, device_class.thin_pool->name));
  else
    command.operand(device_class.volume_group);
  command.configured(devices);
  return command;
}

}  // namespace

lvm::LvmCommand create_command(const Wanted& wanted, const NewVolume& volume) {
  return create(wanted, volume, /*test=*/false);
}

lvm::LvmCommand smallest_create_command(const Wanted& wanted, NewVolume volume,
                                        model::Bytes extent_size) {
  volume.size = extent_size;
  volume.extents = {1};
  return create(wanted, volume, /*test=*/true);
}

lvm::LvmCommand snapshot_command(const Wanted& wanted, const std::string& name, bool udev_sync) {
  lvm::LvmCommand command{"lvcreate"};
  if (!udev_sync) command.without_udev_sync();
  command.flag("-y").flag("-s").option("-k", "n").option("-a", "y");
  if (wanted.ownership.access_type == "ro") command.option("-p", "r");
  command.option("-n", name);
  add_tags(command, wanted);
  command.operand(path_of(wanted.device_class.volume_group, wanted.ownership.source));
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
  // -f takes along whatever depends on the volume. LVM looks at the selection under its lock of the
  // group, so what somebody made depend on the volume a moment ago is safe, too.
  command.flag("-f").flag("-y").assignment("--select", kNothingElseGoes);
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

lvm::LvmCommand refresh_command(const std::string& path) {
  return lvm::LvmCommand{"lvchange"}.flag("--refresh").operand(path);
}

}  // namespace lvmd::volumes::worker
