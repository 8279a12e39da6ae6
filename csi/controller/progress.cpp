#include "csi/controller/progress.hpp"

#include <fmt/format.h>

#include "lvmd/base/reason.hpp"
#include "reconciler/model/condition.hpp"

namespace lvmd::controller {
namespace {

using reconciler::Condition;
using reconciler::LogicalVolume;
using reconciler::VolumeStatus;

// Another writer may write any number.
Code code_of(const VolumeStatus& status) {
  const bool is_known = status.code <= static_cast<std::uint32_t>(Code::kUnavailable);
  return is_known ? static_cast<Code>(status.code) : Code::kInternal;
}

bool is_because(const VolumeStatus& status, std::string_view reason) {
  const Condition* const ready =
      reconciler::find_condition(status.conditions, reconciler::kReadyType);
  return ready != nullptr && ready->reason == reconciler::camel_case(reason);
}

// The status is about an earlier generation of the object. A writer without generations writes 0.
bool is_outdated(const LogicalVolume& object) {
  return object.status.observed_generation != 0 &&
         object.status.observed_generation < object.generation;
}

bool has_failed(const LogicalVolume& object) {
  return object.status.code != 0 && !is_outdated(object);
}

// The parts of a condition that a new failure changes.
bool same_condition(const VolumeStatus& a, const VolumeStatus& b, std::string_view type) {
  const Condition* const one = reconciler::find_condition(a.conditions, type);
  const Condition* const other = reconciler::find_condition(b.conditions, type);
  if (one == nullptr || other == nullptr) return one == other;
  return *one == *other;
}

bool has_new_failure(const LogicalVolume& object, const LogicalVolume& before) {
  const VolumeStatus& now = object.status;
  const VolumeStatus& then = before.status;
  const bool is_same = now.code == then.code && now.message == then.message &&
                       now.observed_generation == then.observed_generation &&
                       same_condition(now, then, reconciler::kReadyType) &&
                       same_condition(now, then, reconciler::kResizedType);
  return has_failed(object) && !is_same;
}

Error failure_of(const LogicalVolume& object, Code code) {
  return make_error(code, "LogicalVolume {} on node {}: {}", object.key.name, object.spec.node_name,
                    object.status.message);
}

Code creation_code(const LogicalVolume& object) {
  const Code code = code_of(object.status);
  // Without a source, only the class can be missing. Another node may have it.
  if (code == Code::kNotFound &&
      (object.spec.source.empty() || is_because(object.status, reason::kUnknownDeviceClass)))
    return Code::kResourceExhausted;
  // For a sidecar, UNIMPLEMENTED means that the driver does not have the call.
  if (code == Code::kUnimplemented) return Code::kFailedPrecondition;
  return code;
}

Code growth_code(const LogicalVolume& object) {
  const Code code = code_of(object.status);
  // csi-resizer takes RESOURCE_EXHAUSTED for temporary and would ignore that less is requested.
  return code == Code::kResourceExhausted ? Code::kOutOfRange : code;
}

}  // namespace

Verdict creation_of(const LogicalVolume& object) {
  if (!object.status.volume_id.empty()) return Status{};
  if (!has_failed(object)) return std::nullopt;
  return std::unexpected(failure_of(object, creation_code(object)));
}

Verdict growth_of(const LogicalVolume& object, reconciler::Bytes size,
                  const LogicalVolume& before) {
  if (object.status.current_size && *object.status.current_size >= size) return Status{};
  if (!has_new_failure(object, before)) return std::nullopt;
  return std::unexpected(failure_of(object, growth_code(object)));
}

Verdict removal_of(const LogicalVolume& object, const LogicalVolume& before) {
  if (!has_new_failure(object, before)) return std::nullopt;
  return std::unexpected(failure_of(object, code_of(object.status)));
}

std::string waits_for(const LogicalVolume& object) {
  for (const Condition& condition : object.status.conditions)
    if (reconciler::is_owned_condition(condition.type) && condition.status != reconciler::kTrue)
      return fmt::format("{} is {} ({}): {}", condition.type, condition.status, condition.reason,
                         condition.message);
  return fmt::format("the reconciler of node {} has reported nothing", object.spec.node_name);
}

}  // namespace lvmd::controller
