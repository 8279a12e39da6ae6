#include "lvmd/transfers/service/restore_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/model/membership.hpp"
#include "lvmd/model/ownership.hpp"

namespace lvmd::transfers {
namespace {

struct VolumeName {
  const std::string& volume_group;
  const std::string& name;
};

// The current state of a volume, and a class that it belongs to.
struct FoundVolume {
  std::shared_ptr<const model::VolumeGroup> group;
  const model::LogicalVolume* volume;
  std::string device_class;
};

Result<FoundVolume> find_volume(const volumes::Backend& backend, const VolumeName& name) {
  auto group = backend.read_model().group(name.volume_group);
  if (!group) return std::unexpected(group.error());
  const model::LogicalVolume* const lv = (*group)->find(name.name);
  if (lv == nullptr)
    return fail(Code::kNotFound, "volume group {} does not contain volume {}", name.volume_group,
                name.name)
        .because(reason::kVolumeNotFound);
  const auto catalog = backend.catalog();
  for (const model::DeviceClass& device_class : catalog->device_classes)
    if (device_class.volume_group == name.volume_group && model::is_volume_of(*lv, device_class))
      return FoundVolume{
          .group = *std::move(group), .volume = lv, .device_class = device_class.name};
  return fail(Code::kUnavailable,
              "volume {} of volume group {} no longer belongs to a device class", name.name,
              name.volume_group)
      .because(reason::kReloaded);
}

// Removes the tag of any completed restore except `but`.
void remove_completed(const model::LogicalVolume& lv, const std::string& but,
                      internal::ChangeTags& change) {
  if (const auto id = model::restore_completed(lv.tags); id && *id != but)
    change.add_remove(model::restore_completed_tag(*id));
}

Error describe_other(Error error, const std::string& volume) {
  const auto existing = std::ranges::find(error.metadata, key::kExisting,
                                          &std::pair<std::string, std::string>::first);
  if (error.reason != reason::kMarkDiffers || existing == error.metadata.end()) return error;
  error.message = fmt::format(
      "restore \"{}\" has begun on volume {} and is not complete: start it again, or remove "
      "the volume and restore onto a new one",
      existing->second, volume);
  return error;
}

}  // namespace

void RestoreMarks::begin(const internal::MoverJob& job, Begun done) {
  const VolumeName name{.volume_group = job.device().volume_group(), .name = job.device().name()};
  const auto found = find_volume(backend_, name);
  if (!found) return done(std::unexpected(found.error()));
  const auto worker = backend_.worker(name.volume_group);
  if (worker == nullptr)
    return done(
        fail(Code::kUnavailable,
             "volume group {} was removed from the configuration during the call: try again",
             name.volume_group)
            .because(reason::kReloaded));
  internal::WorkerRequest request;
  internal::ChangeTags& change = *request.mutable_tags();
  change.set_name(name.name);
  change.set_device_class(found->device_class);
  change.add_add(model::restore_begun_tag(job.id()));
  remove_completed(*found->volume, "", change);
  change.set_if_blank(true);
  worker->submit(
      std::move(request),
      fmt::format("the tag of restore {} on {}/{}", job.id(), name.volume_group, name.name),
      [this, volume_group = name.volume_group, volume = name.name, id = job.id(),
       done = std::move(done)](const volumes::ChangeOutcome& outcome) {
        if (outcome) return done(internal::RESTORE_MARK_BEGUN);
        if (outcome.error().reason != reason::kVolumeNotBlank)
          return done(std::unexpected(describe_other(outcome.error(), volume)));
        const auto now = find_volume(backend_, {.volume_group = volume_group, .name = volume});
        if (!now) return done(std::unexpected(now.error()));
        done(model::restore_completed(now->volume->tags) == id ? internal::RESTORE_MARK_COMPLETED
                                                               : internal::RESTORE_MARK_NONE);
      });
}

bool RestoreMarks::is_cleared(const v1::Transfer& restore) const {
  const auto group = backend_.read_model().group(restore.volume_group());
  if (!group) return false;
  const model::LogicalVolume* const lv = (*group)->find(restore.name());
  return lv == nullptr || model::restore_begun(lv->tags) != restore.id();
}

void RestoreMarks::complete(const v1::Transfer& restore, std::function<void()> done) {
  const VolumeName name{.volume_group = restore.volume_group(), .name = restore.name()};
  const auto failed = [this, id = restore.id(), name = restore.name()](const Error& error) {
    const std::lock_guard lock{mutex_};
    if (!logged_.insert(id).second) return;
    log::warning(
        fmt::format("restore {} onto volume {} is verified, but its tag can't be replaced "
                    "now: {}. lvmd retries every second",
                    id, name, error.message));
  };
  const auto found = find_volume(backend_, name);
  const auto worker = backend_.worker(name.volume_group);
  if (!found || worker == nullptr) {
    // There is no state yet while lvmd starts.
    if (!found && worker != nullptr && worker->is_attached()) failed(found.error());
    return done();
  }
  internal::WorkerRequest request;
  internal::ChangeTags& change = *request.mutable_tags();
  change.set_name(name.name);
  change.set_device_class(found->device_class);
  change.add_add(model::restore_completed_tag(restore.id()));
  change.add_remove(model::restore_begun_tag(restore.id()));
  remove_completed(*found->volume, restore.id(), change);
  worker->submit(
      std::move(request),
      fmt::format("the end of restore {} on {}/{}", restore.id(), name.volume_group, name.name),
      [failed, done = std::move(done)](const volumes::ChangeOutcome& outcome) {
        if (!outcome) failed(outcome.error());
        done();
      });
}

}  // namespace lvmd::transfers
