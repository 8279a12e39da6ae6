#include "reconciler/volumes/volume_controller.hpp"

#include <fmt/format.h>

#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/volumes/event.hpp"
#include "reconciler/volumes/removal.hpp"

namespace lvmd::reconciler {

VolumeController::VolumeController(VolumeStore& store, VolumeService& service,
                                   ObjectProgress& progress)
    : store_(store), service_(service), progress_(progress) {
  reset();
}

void VolumeController::reset() {
  observed_ = {.renewed = progress_.renewed};
  source_.reset();
}

VolumeName VolumeController::name() const {
  const LogicalVolume& object = progress_.seen;
  return {.name = object.uid,
          .device_class = device_class_of(object, observed_.classes.value_or(Classes{}))
                              .value_or(object.spec.device_class)};
}

void VolumeController::remove_created() {
  if (!std::exchange(created_, false)) return;
  const Status removed = service_.remove(name());
  if (removed)
    log::notice(
        fmt::format("{} was deleted during the creation of its volume {}: removed the volume",
                    to_string(object().key), object().uid));
  else if (removed.error().code != Code::kNotFound)
    log::error(fmt::format(
        "{} was deleted during the creation of its volume {}, which cannot be removed: {}",
        to_string(object().key), object().uid, describe(removed.error())));
}

// The class that was found becomes durable, so that it does not change [R-OBJ-17].
template <>
Status VolumeController::run(const AddFinalizer& step) {
  LogicalVolume finalized = object();
  finalized.spec.device_class = name().device_class;
  if (!step.restore_from.empty()) finalized.restore_from = step.restore_from;
  return progress_.replace(store_.add_finalizer(finalized));
}

template <>
Status VolumeController::run(const FindClasses& /*step*/) {
  if (object().spec.vg_name.empty()) return find_default_class();
  const auto found = service_.classes(object().uid);
  if (!found) return std::unexpected(found.error());
  observed_.classes.emplace();
  for (const ClassGroup& entry : *found)
    if (entry.volume_group == object().spec.vg_name)
      observed_.classes->push_back({.name = entry.device_class, .has_volume = entry.has_volume});
  return {};
}

// The class is fixed before the volume is created: two volumes must not result when the default
// moves to another class [R-CREATE-8].
Status VolumeController::find_default_class() {
  const auto found = service_.default_class();
  if (!found) return std::unexpected(found.error());
  observed_.classes.emplace();
  if (!found->empty()) observed_.classes->push_back({.name = *found});
  return {};
}

template <>
Status VolumeController::run(const LookUp& /*step*/) {
  const auto found = service_.find(name());
  if (!found) return std::unexpected(found.error());
  observed_.looked_up = true;
  observed_.size = *found;
  return {};
}

template <>
Status VolumeController::run(const FindSource& /*step*/) {
  const auto found = store_.reread({object().key.group, source_name(object())});
  if (!found && found.error().code != Code::kNotFound) return std::unexpected(found.error());
  observed_.source = found ? Source{.exists = true,
                                    .node_name = found->spec.node_name,
                                    .volume_id = found->status.volume_id,
                                    .size = found->status.current_size,
                                    .uid = found->uid,
                                    .spec_name = found->spec.name,
                                    .is_snapshot = may_have_class(*found),
                                    .snapshot = found->status.snapshot}
                           : Source{};
  if (found) source_ = *found;
  return {};
}

template <>
Status VolumeController::run(const Unmet& step) {
  return std::unexpected(step.error);
}

Status VolumeController::created(const Result<Bytes>& size) {
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  created_ = true;
  return {};
}

template <>
Status VolumeController::run(const Create& step) {
  return created(service_.create(name(), object().spec.lvcreate_option_class, step.size,
                                 store_.owner(), step.restore));
}

template <>
Status VolumeController::run(const CreateSnapshot& step) {
  return created(service_.create_snapshot(name(), step.source, object().spec.access_type, step.size,
                                          store_.owner()));
}

template <>
Status VolumeController::run(const Resize& step) {
  const auto size = service_.resize(name(), step.size);
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  return {};
}

template <>
Status VolumeController::run(const BeginRemoval& /*step*/) {
  return progress_.replace(store_.begin_removal(object()));
}

// [R-DELETE-2]
template <>
Status VolumeController::run(const Remove& /*step*/) {
  if (Status removed = remove_everywhere(service_, name(), object().key); !removed) return removed;
  observed_.removed = true;
  return {};
}

template <>
Status VolumeController::run(const RemoveFinalizer& /*step*/) {
  if (Status released = store_.remove_finalizer(object()); !released) return released;
  store_.record_event(object(), deleted_event(object()));
  return {};
}

// [R-DELETE-5]
template <>
Status VolumeController::run(const ClearOwner& /*step*/) {
  if (Status cleared = clear_owner(service_, object().uid); !cleared) return cleared;
  observed_.owner_cleared = true;
  return {};
}

template <>
Status VolumeController::run(const Abandon& /*step*/) {
  if (Status released = store_.remove_finalizer(object()); !released) return released;
  const Event event = abandoned_event(object());
  log::warning(fmt::format("{}: {}", to_string(object().key), event.message));
  store_.record_event(object(), event);
  return {};
}

Status VolumeController::execute(const VolumeStep& step) {
  return std::visit([&](const auto& kind) { return run(kind); }, step);
}

}  // namespace lvmd::reconciler
