#include "reconciler/csi/csi_change.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "csi/lifecycle/derive.hpp"
#include "csi/lifecycle/passage.hpp"
#include "reconciler/model/condition.hpp"
#include "reconciler/model/quantity.hpp"

namespace lvmd::reconciler {
namespace {

using lifecycle::Call;
using lifecycle::VolumeFailure;

constexpr std::array kCallNames{
    std::pair{Call::kCreate, std::string_view{"CreateVolume"}},
    std::pair{Call::kRemove, std::string_view{"DeleteVolume"}},
    std::pair{Call::kExpand, std::string_view{"NodeExpandVolume"}},
    std::pair{Call::kStage, std::string_view{"NodeStageVolume"}},
    std::pair{Call::kUnstage, std::string_view{"NodeUnstageVolume"}},
    std::pair{Call::kPublish, std::string_view{"NodePublishVolume"}},
    std::pair{Call::kUnpublish, std::string_view{"NodeUnpublishVolume"}}};

std::string_view name_of(Call call) {
  for (const auto& [known, name] : kCallNames)
    if (known == call) return name;
  return {};
}

std::optional<Call> parse_call(std::string_view text) {
  for (const auto& [call, name] : kCallNames)
    if (name == text) return call;
  return std::nullopt;
}

// The object waits for a backup to be copied into its volume, or this failed.
bool is_restore_open(const std::optional<SnapshotStatus>& snapshot) {
  return snapshot && is_ours(*snapshot) && snapshot->operation == Operation::kRestore &&
         snapshot->phase != SnapshotPhase::kSucceeded;
}

bool is_growing(const LogicalVolume& object, const VolumeStatus& next) {
  const auto wanted = parse_wanted_size(object.spec.size);
  return wanted && next.current_size && *next.current_size < *wanted && !is_stored(object);
}

bool is_false(const Condition* condition) {
  return condition != nullptr && condition->status == kFalse;
}

// A condition that is False, as the failure of `call`.
void add_condition(const VolumeStatus& next, std::string_view type, std::optional<Call> call,
                   std::vector<VolumeFailure>& failures) {
  const Condition* const condition = find_condition(next.conditions, type);
  if (!is_false(condition)) return;
  failures.push_back({.call = call, .reason = condition->reason, .message = condition->message});
}

std::vector<VolumeFailure> failures_of(const LogicalVolume& object, const VolumeStatus& next,
                                       bool created, const VolumeUse& use) {
  std::vector<VolumeFailure> failures;
  if (object.removal_wanted) {
    // An older failure is of another call.
    if (next.observed_generation == object.generation)
      add_condition(next, kReadyType, Call::kRemove, failures);
  } else {
    add_condition(next, kReadyType, created ? std::nullopt : std::optional{Call::kCreate},
                  failures);
    add_condition(next, kRestoreReadyType, Call::kCreate, failures);
    add_condition(next, kResizedType, Call::kExpand, failures);
  }
  for (const FailedCall& failed : use.failures)
    if (const auto call = parse_call(failed.call))
      failures.push_back(
          {.call = call, .reason = camel_case(failed.reason), .message = failed.message});
  return failures;
}

lifecycle::Facts facts_of(const LogicalVolume& object, const VolumeStatus& next, bool removed,
                          const VolumeUse& use) {
  const bool created =
      (object.created || !next.volume_id.empty()) && !is_restore_open(next.snapshot);
  lifecycle::Facts facts{.created = created,
                         .growing = created && is_growing(object, next),
                         .removing = object.removal_wanted,
                         .removed = object.removal_wanted && removed,
                         .staged = use.staged,
                         .publications = use.publications,
                         .failures = failures_of(object, next, created, use)};
  if (const auto& before = object.status.csi) {
    facts.before = lifecycle::parse_state(before->state);
    facts.publications_before = before->publications;
  }
  return facts;
}

// "VolumeStaged". The names differ from those of R-EVENT-1, because events of one name are joined.
std::string_view reason_of(const std::optional<lifecycle::Event>& event) {
  using lifecycle::Event;
  if (!event) return "Observed";
  switch (*event) {
    case Event::kRequested:
      return "VolumeRequested";
    case Event::kCreated:
      return "VolumeCreated";
    case Event::kCreationFailed:
      return "VolumeCreationFailed";
    case Event::kStaged:
      return "VolumeStaged";
    case Event::kUnstaged:
      return "VolumeUnstaged";
    case Event::kPublished:
      return "VolumePublished";
    case Event::kPublishFailed:
      return "VolumePublishFailed";
    case Event::kUnpublished:
      return "VolumeUnpublished";
    case Event::kRemovalAccepted:
      return "VolumeRemovalAccepted";
    case Event::kRemoved:
      return "VolumeRemoved";
    case Event::kRemovalFailed:
      return "VolumeRemovalFailed";
    case Event::kExpansionRequested:
      return "VolumeExpansionRequested";
    case Event::kExpanded:
      return "VolumeExpanded";
    case Event::kExpansionFailed:
      return "VolumeExpansionFailed";
    case Event::kUnpublishFailed:
      return "VolumeUnpublishFailed";
    case Event::kFailedAfterExpansion:
      return "VolumeFailedAfterExpansion";
    case Event::kObjectGone:
      break;  // Nothing is written then.
  }
  return "Observed";
}

std::optional<Event> event_of(std::optional<lifecycle::State> from,
                              const lifecycle::Derived& derived,
                              const std::optional<CsiFailure>& failure) {
  const auto passage = lifecycle::passage(from, derived);
  if (!passage) return std::nullopt;
  std::string message = fmt::format("csiStatus is {}", lifecycle::name_of(passage->to));
  if (from) message += fmt::format(", before {}", lifecycle::name_of(*from));
  if (failure && !failure->call.empty()) message += fmt::format(": {} failed", failure->call);
  if (failure) message += fmt::format(": {}", failure->message);
  return Event{.is_warning = failure.has_value(),
               .reason = std::string{reason_of(passage->event)},
               .message = std::move(message)};
}

// In failures_of(), the volume's growth comes before that of its file system.
std::string call_of(const VolumeFailure& failure, const VolumeStatus& next) {
  if (!failure.call) return {};
  if (failure.call == Call::kExpand && is_false(find_condition(next.conditions, kResizedType)))
    return "ControllerExpandVolume";
  return std::string{name_of(*failure.call)};
}

std::optional<CsiFailure> to_status(const std::optional<VolumeFailure>& failure,
                                    const VolumeStatus& next) {
  if (!failure) return std::nullopt;
  return CsiFailure{
      .call = call_of(*failure, next), .reason = failure->reason, .message = failure->message};
}

}  // namespace

CsiChange csi_change(const LogicalVolume& object, const VolumeStatus& next, bool removed,
                     const std::optional<CsiUse>& use) {
  const bool is_left_alone =
      is_pending_deletion(object) || (object.removal_wanted && !object.has_finalizer);
  if (!use || is_left_alone) return {.status = object.status.csi};
  if (!use->is_enabled) return {};
  const lifecycle::Facts facts = facts_of(object, next, removed, use->volume);
  const lifecycle::Derived derived = lifecycle::derive(facts);
  CsiStatus status{.state = std::string{lifecycle::name_of(derived.state)},
                   .publications = facts.publications,
                   .failure = to_status(derived.failure, next)};
  auto event = event_of(facts.before, derived, status.failure);
  return {.status = std::move(status), .event = std::move(event)};
}

}  // namespace lvmd::reconciler
