#include "lvmd/mounts/service/mount_checks.hpp"

#include <algorithm>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/mount_rules.hpp"
#include "lvmd/model/names.hpp"
#include "lvmd/volumes/service/request_checks.hpp"
#include "lvmd/volumes/service/volume_device.hpp"

namespace lvmd::mounts {
namespace {

Failure wrong_together(std::string_view field, std::string_view sentence) {
  return fail(Code::kInvalidArgument, "{}", sentence)
      .because(reason::kInvalidCombination)
      .with(key::kField, field);
}

// A job for the volume that the request names, still without an operation.
template <typename Request>
Result<CheckedMount> named_volume(const model::ClassCatalog& catalog, const Request& request) {
  const auto device_class = volumes::find_class(catalog, request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  if (auto valid = model::check_lv_name("name", request.name()); !valid)
    return std::unexpected(valid.error());
  return CheckedMount{.device_class = *device_class, .volume = request.name(), .job = {}};
}

internal::VolumeDevice& device_of(internal::MountJob& job) {
  if (job.has_unmount()) return *job.mutable_unmount()->mutable_device();
  if (job.has_grow()) return *job.mutable_grow();
  if (job.has_usage()) return *job.mutable_usage()->mutable_device();
  return *job.mutable_mount()->mutable_device();
}

// The request's target, or what stands for an empty one.
Result<std::string> target_of(std::span<const std::string> roots, const v1::MountRequest& request) {
  std::string target = request.target();
  if (target.empty() && !roots.empty()) target = roots.front() + "/" + request.name();
  if (const auto place = model::check_mount_target("target", target, roots); !place)
    return std::unexpected(place.error());
  return target;
}

Status check_options(const v1::MountRequest& request) {
  for (const std::string& option : request.options()) {
    if (auto valid = model::check_mount_option("options", option); !valid) return valid;
    const bool of_place =
        std::ranges::find(model::kPlaceOptions, option) != model::kPlaceOptions.end();
    if (!request.bind_from().empty() && !of_place)
      return wrong_together("options",
                            fmt::format("options: \"{}\" is of the file system: set it where the "
                                        "volume is mounted, not with bind_from",
                                        option));
  }
  return {};
}

Status check_bind(std::span<const std::string> roots, const v1::MountRequest& request,
                  const std::string& target) {
  if (request.bind_from().empty()) return {};
  if (const auto place = model::check_mount_target("bind_from", request.bind_from(), roots); !place)
    return std::unexpected(place.error());
  if (request.format())
    return wrong_together("bind_from", "bind_from and format exclude each other");
  if (request.bind_from() == target)
    return wrong_together("bind_from", fmt::format("bind_from is the target itself, {}", target));
  return {};
}

}  // namespace

Result<CheckedMount> check(const model::ClassCatalog& catalog, std::span<const std::string> roots,
                           const v1::MountRequest& request) {
  auto checked = named_volume(catalog, request);
  if (!checked) return checked;
  const auto target = target_of(roots, request);
  if (!target) return std::unexpected(target.error());
  if (!request.fs_type().empty())
    if (auto valid = model::check_file_system("fs_type", request.fs_type()); !valid)
      return std::unexpected(valid.error());
  if (request.format() && request.fs_type().empty())
    return wrong_together("fs_type", "format needs fs_type: ext4, xfs or btrfs");
  if (auto valid = check_options(request); !valid) return std::unexpected(valid.error());
  if (auto valid = check_bind(roots, request, *target); !valid)
    return std::unexpected(valid.error());

  internal::MountVolume& mount = *checked->job.mutable_mount();
  mount.set_target(*target);
  mount.set_read_only(request.read_only());
  mount.set_fs_type(request.fs_type());
  mount.set_format(request.format());
  *mount.mutable_options() = request.options();
  mount.set_bind_from(request.bind_from());
  return checked;
}

Result<CheckedMount> check(const model::ClassCatalog& catalog, std::span<const std::string> roots,
                           const v1::UnmountRequest& request) {
  const bool by_volume = !request.name().empty() || !request.device_class().empty();
  if (by_volume == !request.target().empty())
    return wrong_together("target", by_volume
                                        ? "target and name exclude each other: give one of both"
                                        : "target and name are both empty: give one of both");
  if (by_volume) {
    auto checked = named_volume(catalog, request);
    if (checked) checked->job.mutable_unmount()->mutable_device();
    return checked;
  }
  if (const auto place = model::check_mount_target("target", request.target(), roots); !place)
    return std::unexpected(place.error());
  CheckedMount checked;
  checked.job.mutable_unmount()->set_target(request.target());
  return checked;
}

Result<CheckedMount> check(const model::ClassCatalog& catalog,
                           std::span<const std::string> /*roots*/,
                           const v1::GrowFileSystemRequest& request) {
  auto checked = named_volume(catalog, request);
  if (checked) checked->job.mutable_grow();
  return checked;
}

Result<CheckedMount> check(const model::ClassCatalog& catalog, std::span<const std::string> roots,
                           const v1::GetUsageRequest& request) {
  auto checked = named_volume(catalog, request);
  if (!checked) return checked;
  if (!request.target().empty())
    if (const auto place = model::check_mount_target("target", request.target(), roots); !place)
      return std::unexpected(place.error());
  checked->job.mutable_usage()->set_target(request.target());
  return checked;
}

Status fill_in_device(const volumes::ReadModel& read_model, CheckedMount& mount) {
  if (mount.device_class == nullptr) return {};
  auto device = volumes::find_device(read_model, *mount.device_class, mount.volume);
  if (!device) return std::unexpected(device.error());
  // The device of a mount that is to be removed may not exist any more.
  if (!mount.job.has_unmount())
    if (auto active = volumes::check_active(*device); !active) return active;
  device_of(mount.job).Swap(&*device);
  return {};
}

v1::MountEntry to_message(const model::ClassCatalog& catalog,
                          const internal::MountedVolume& mount) {
  v1::MountEntry entry;
  entry.set_target(mount.target());
  if (std::ranges::find(catalog.device_classes, mount.volume_group(),
                        &model::DeviceClass::volume_group) != catalog.device_classes.end()) {
    entry.set_volume_group(mount.volume_group());
    entry.set_name(mount.name());
  }
  entry.set_dev_major(mount.major());
  entry.set_dev_minor(mount.minor());
  entry.set_fs_type(mount.fs_type());
  entry.set_read_only(mount.read_only());
  *entry.mutable_options() = mount.options();
  return entry;
}

}  // namespace lvmd::mounts
