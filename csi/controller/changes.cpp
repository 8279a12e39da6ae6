#include "csi/controller/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "csi/controller/progress.hpp"
#include "lvmd/base/reason.hpp"
#include "reconciler/model/condition.hpp"

namespace lvmd::controller {
namespace {

using reconciler::Bytes;
using reconciler::LogicalVolume;

Failure not_found(std::string_view field, const std::string& handle, std::string_view kind) {
  return fail(Code::kNotFound, "there is no {} with {} \"{}\"", kind, field, handle)
      .because(reason::kVolumeNotFound)
      .about(field, handle);
}

// A repeated call within the same second must change the annotation, too. Otherwise it would start
// no new attempt.
std::string time_of_request() {
  const auto now = std::chrono::system_clock::now();
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  std::string text = reconciler::to_timestamp(second);
  text.pop_back();  // the Z
  return fmt::format("{}.{:06}Z", text,
                     std::chrono::duration_cast<std::chrono::microseconds>(now - second).count());
}

// The object after the request.
Result<LogicalVolume> request_size(ObjectStore& store, LogicalVolume object, Bytes size,
                                   const Waiter& waiter) {
  for (;;) {
    auto requested = store.set_size(object, size, time_of_request());
    if (requested || requested.error().code != Code::kAborted) return requested;
    if (auto may = waiter.check("its size could not be changed"); !may)
      return std::unexpected(std::move(may.error()));
    auto again = store.read(object.key.name);
    if (!again) return again;
    if (again->uid != object.uid) return not_found("volume_id", object.uid, "volume");
    object = std::move(*again);
  }
}

}  // namespace

Result<LogicalVolume> find_object(ObjectStore& store, const std::string& handle,
                                  std::string_view field) {
  if (handle.empty())
    return fail(Code::kInvalidArgument, "{} is empty", field).about(field, handle);
  std::vector<LogicalVolume> found = store.seen().with_handle(handle);
  if (found.empty()) {
    auto all = store.list();
    if (!all) return std::unexpected(std::move(all.error()));
    std::erase_if(*all, [&](const auto& object) { return object.status.volume_id != handle; });
    found = std::move(*all);
  }
  if (found.empty()) return not_found(field, handle, "volume or snapshot");
  if (found.size() > 1)
    return fail(Code::kFailedPrecondition,
                "LogicalVolumes {} and {} both have status.volumeID \"{}\": correct one of them",
                found[0].key.name, found[1].key.name, handle)
        .about(field, handle);
  return std::move(found.front());
}

Result<LogicalVolume> find_volume(ObjectStore& store, const std::string& handle,
                                  std::string_view field) {
  auto object = find_object(store, handle, field);
  if (object && is_snapshot(*object)) return not_found(field, handle, "volume");
  return object;
}

Result<LogicalVolume> find_snapshot(ObjectStore& store, const std::string& handle,
                                    std::string_view field) {
  auto object = find_object(store, handle, field);
  if (object && !is_snapshot(*object)) return not_found(field, handle, "snapshot");
  return object;
}

Result<LogicalVolume> grow(ObjectStore& store, LogicalVolume object, Bytes size,
                           const CallLimit& limit) {
  if (object.status.current_size && *object.status.current_size >= size) return object;
  Waiter waiter{store, object.key.name, limit};
  auto before = request_size(store, std::move(object), size, waiter);
  if (!before) return before;
  LogicalVolume current = *before;
  for (;;) {
    if (auto verdict = growth_of(current, size, *before)) {
      if (!*verdict) return std::unexpected(std::move(verdict->error()));
      return current;
    }
    auto report = waiter.next(current);
    if (!report) return std::unexpected(std::move(report.error()));
    if (!*report || (*report)->uid != current.uid)
      return not_found("volume_id", current.status.volume_id, "volume");
    current = std::move(**report);
    // The earlier failure is cleared. The next one is of this request, even if it is the same.
    if (current.status.code == 0) before = current;
  }
}

Status remove(ObjectStore& store, const LogicalVolume& object, const CallLimit& limit) {
  Waiter waiter{store, object.key.name, limit};
  auto removed =
      object.removal_wanted ? Result<Report>{object} : store.remove(object, Removal::kAlways);
  if (!removed) {
    const Code code = removed.error().code;
    // kAborted: another object has the name by now.
    if (code == Code::kNotFound || code == Code::kAborted) return {};
    return std::unexpected(std::move(removed.error()));
  }
  const Report before = std::move(*removed);
  Report current = before;
  while (current && current->uid == object.uid) {
    if (auto verdict = removal_of(*current, *before); verdict && !*verdict) return *verdict;
    auto report = waiter.next(*current);
    if (!report) return std::unexpected(std::move(report.error()));
    current = std::move(*report);
  }
  return {};
}

}  // namespace lvmd::controller
