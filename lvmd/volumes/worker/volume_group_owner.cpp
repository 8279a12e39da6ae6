#include "lvmd/volumes/worker/volume_group_owner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <thread>
#include <utility>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/base/run_program.hpp"
#include "lvmd/model/metadata_space.hpp"
#include "lvmd/volumes/worker/announcement.hpp"
#include "lvmd/volumes/worker/commands.hpp"
#include "lvmd/volumes/worker/device_checks.hpp"
#include "lvmd/volumes/worker/early_deactivation.hpp"
#include "lvmd/volumes/worker/new_volume.hpp"
#include "lvmd/volumes/worker/recovery.hpp"
#include "lvmd/volumes/worker/removal.hpp"
#include "lvmd/volumes/worker/volume_node.hpp"

namespace lvmd::volumes::worker {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr std::chrono::seconds kSettingsLimit{10};
constexpr std::chrono::seconds kBackupLimit{30};
// The program has its own limit; with this margin it ends before it counts as stuck.
constexpr std::chrono::seconds kGrace{5};
// The kernel reads a pool's metadata when the pool is resumed.
constexpr std::chrono::seconds kResumeLimit{10};
constexpr std::chrono::milliseconds kLockWait = 5s;
constexpr std::chrono::milliseconds kLockInterval = 100ms;

ChangeOutcome failed(Error error, model::VgState state) {
  return {.volume = std::unexpected(std::move(error)), .state = std::move(state)};
}

// The volume, nullptr if it does not exist, or the error of the group's state.
Result<const model::LogicalVolume*> find(const model::VgState& state, std::string_view volume) {
  if (!state.group) return std::unexpected(state.group.error());
  return state.group->find(volume);
}

// The source volume of a request; empty if it has none.
std::string_view source_of(const SnapshotRequest& request) { return request.source; }
template <typename Request>
std::string_view source_of(const Request& /*request*/) {
  return {};
}

}  // namespace

VolumeGroupOwner::VolumeGroupOwner(Setup setup, lvm::LvmRunner& lvm, WorkerEventSink& events)
    : volume_group_(std::move(setup.volume_group)),
      catalog_(std::move(setup.catalog)),
      events_(events),
      lvm_(setup.lvm),
      uevents_(std::move(setup.uevents)),
      group_(volume_group_, std::move(setup.lvm), std::move(setup.lvm_path), events),
      backups_(volume_group_, setup.lvm_is_library ? MetadataBackups::ReadSettings{[this] {
                 return read_backup_settings();
               }}
                                                   : nullptr),
      udev_backlog_([this] { return drain_uevents(); }),
      executor_(volume_group_, lvm, events, group_, backups_, scans_, udev_backlog_),
      intents_(std::move(setup.intents)),
      repair_(volume_group_, std::move(setup.activated), executor_) {}

void VolumeGroupOwner::resume() { resumed_ = try_to_resume(0ms); }

bool VolumeGroupOwner::try_to_resume(std::chrono::milliseconds lock_wait) {
  std::vector<Intent> intents;
  for (const auto& [volume, record] : intents_.open_intents())
    if (record) intents.push_back(*record);
  if (intents.empty()) return true;
  const Announcement step{events_, fmt::format("dmsetup resume {}", volume_group_), kResumeLimit};
  std::set<std::string, std::less<>> pools;
  for (const model::DeviceClass& device_class : catalog_.device_classes)
    if (device_class.volume_group == volume_group_ && device_class.is_thin())
      pools.insert(device_class.thin_pool->name);
  const auto deadline = std::chrono::steady_clock::now() + lock_wait;
  while (!resume_interrupted(volume_group_, intents, pools)) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kLockInterval);
  }
  return true;
}

std::optional<std::chrono::milliseconds> VolumeGroupOwner::due() const {
  if (settle_due_) return 0ms;
  std::optional<std::chrono::milliseconds> first;
  for (const auto& due : {backups_.due(), scans_.due(), repair_.due()})
    if (due && (!first || *due < *first)) first = due;
  return first;
}

bool VolumeGroupOwner::work() {
  if (settle_due_) {
    settle_open();
    return true;
  }
  if (backups_.due() == 0ms) {
    const Announcement step{events_, "vgcfgbackup " + volume_group_, kBackupLimit};
    backups_.work([this] { return read_text(); });
    return false;
  }
  if (scans_.due() == 0ms) {
    scans_.work();
    return false;
  }
  Repair::Names skipped;
  for (const auto& [volume, record] : intents_.open_intents()) skipped.insert(volume);
  return repair_.step(group_, skipped);
}

void VolumeGroupOwner::start_backups() { backups_.start(group_.text()); }

void VolumeGroupOwner::finish() {
  scans_.finish();
  if (!backups_.due()) return;
  const Announcement step{events_, "vgcfgbackup " + volume_group_, kBackupLimit};
  backups_.finish([this] { return read_text(); });
}

MetadataBackups::Text VolumeGroupOwner::read_text() {
  return group_.read().group ? group_.text() : nullptr;
}

Result<std::string> VolumeGroupOwner::read_backup_settings() const {
  const Announcement step{events_, "lvmconfig", kSettingsLimit + kGrace};
  std::vector<std::string> arguments{std::next(lvm_.begin()), lvm_.end()};
  arguments.insert(arguments.end(), {"lvmconfig", "--type", "full", "backup"});
  auto printed = run_program(lvm_.front(), arguments, kSettingsLimit);
  if (!printed) return std::unexpected(std::move(printed.error()));
  return std::move(printed->out);
}

devmapper::BlockEvents VolumeGroupOwner::drain_uevents() {
  auto received = uevents_.drain();
  if (received) return *std::move(received);
  log::warning(fmt::format("{}: lvmd waits until udev is idle", received.error().message),
               {{log::kVg, volume_group_}});
  return {.events = {}, .lost = true};
}

void VolumeGroupOwner::wake() {
  settle_due_ = !intents_.empty();
  repair_.wake();
}

void VolumeGroupOwner::settle_open() {
  settle_due_ = false;
  if (!resumed_) resumed_ = try_to_resume(kLockWait);
  // A copy, because settling removes items.
  for (const auto& [volume, record] : std::map{intents_.open_intents()}) {
    const std::string file = intents_.path_of(volume).string();
    if (!record) {
      warn_once(volume, fmt::format("lvmd does not act on the record {}, and {} is unavailable: "
                                    "{}. To use the volume as it is, delete the record",
                                    file, executor_.path(volume), record.error().message));
      continue;
    }
    const Status settled = settle(*record, group_, executor_);
    if (settled && end(*record))
      log::notice(fmt::format("recovered the interrupted {} of {}", to_string(record->kind),
                              executor_.path(volume)),
                  {{log::kVg, volume_group_}, {log::kLv, volume}});
    else if (!settled)
      warn_once(volume,
                fmt::format("cannot recover the interrupted {} of {} now: {}. lvmd tries again "
                            "with the next change; the record is {}",
                            to_string(record->kind), executor_.path(volume),
                            settled.error().message, file));
  }
}

void VolumeGroupOwner::warn_once(const std::string& volume, const std::string& message) {
  if (std::exchange(warned_[volume], message) == message) return;
  log::warning(message, {{log::kVg, volume_group_}, {log::kLv, volume}});
}

ChangeOutcome VolumeGroupOwner::create(const CreateRequest& request) {
  return change(&plan_create, request);
}

ChangeOutcome VolumeGroupOwner::snapshot(const SnapshotRequest& request) {
  return change(&plan_snapshot, request);
}

ChangeOutcome VolumeGroupOwner::resize(const ResizeRequest& request) {
  return change(&plan_resize, request);
}

ChangeOutcome VolumeGroupOwner::remove(const RemoveRequest& request) {
  return change(&plan_remove, request);
}

ChangeOutcome VolumeGroupOwner::change_tags(const TagsRequest& request) {
  return change(&plan_tags, request);
}

template <typename Request>
ChangeOutcome VolumeGroupOwner::change(Planner<Request> planner, const Request& request) {
  limit_backlog(request.name, executor_);
  if (!intents_.empty()) settle_open();
  model::VgState state = group_.read();
  if (!state.group) {
    Error why = state.group.error();
    return failed(std::move(why), std::move(state));
  }
  for (const auto& [volume, record] : intents_.open_intents())
    if (volume == request.name || volume == source_of(request))
      return failed(
          make_error(Code::kUnavailable, "logical volume {} has an incomplete change: {}", volume,
                     record ? "lvmd is recovering it; the log of lvmd states why it is not finished"
                            : record.error().message),
          std::move(state));
  const auto plan = planner(*state.group, catalog_, request);
  if (!plan) return failed(plan.error(), std::move(state));
  if (!plan->commands.empty())
    if (auto done = plan->one_commit ? commit(*plan, state) : carry_out(*plan, state); !done)
      return failed(done.error(), std::move(state));
  const auto lv = find(state, request.name);
  if (!lv) return failed(lv.error(), std::move(state));
  std::optional<model::LogicalVolume> volume;
  if (*lv != nullptr) volume = **lv;
  return {.volume = std::move(volume), .state = std::move(state)};
}

Status VolumeGroupOwner::carry_out(const Plan& plan, model::VgState& state) {
  const Intent& intent = plan.intent;
  std::optional<model::LogicalVolume> before;
  if (const model::LogicalVolume* const lv = state.group->find(intent.volume)) before = *lv;
  if (intent.kind == Intent::Kind::kRemove)
    if (auto unused = check_unused(state.group->id, *before); !unused) return unused;
  if (auto begun = begin(intent); !begun) return begun;
  failpoint("worker.begun");
  Status done;
  if (intent.kind == Intent::Kind::kRemove) {
    done = carry_out_removal(plan, *before, state);
  } else {
    for (const lvm::LvmCommand& command : plan.commands)
      if (done) {
        done = executor_.run(command);
        failpoint("worker.ran");
      }
    if (!done) done = std::unexpected(explain(*state.group, plan, std::move(done.error())));
    state = group_.read();
    if (done) done = finish(intent, state);
  }
  // The lvm program may have died during the change.
  if (!done) resumed_ = try_to_resume(0ms);
  failpoint("worker.finished");
  if (!done && intent.hides_volume()) {
    done = std::unexpected(undo(intent, std::move(done.error())));
    state = group_.read();
    return done;
  }
  // LVM may have committed the failed growth: then the kernel must load the new size.
  if (!done && intent.kind == Intent::Kind::kResize)
    if (const auto settled = settle(intent, group_, executor_); !settled) return done;
  const Status ended = end(intent);
  failpoint("worker.ended");
  return done ? ended : done;
}

Status VolumeGroupOwner::commit(const Plan& plan, model::VgState& state) {
  if (plan.only_if_blank) {
    const auto probing = executor_.announce("blkid", plan.intent.volume, kProbeLimit);
    if (auto blank = check_blank(*state.group->find(plan.intent.volume)); !blank) return blank;
  }
  failpoint("worker.marking");
  Status done;
  for (const lvm::LvmCommand& command : plan.commands)
    if (done) done = executor_.run(command);
  if (!done) done = std::unexpected(explain(*state.group, plan, std::move(done.error())));
  failpoint("worker.marked");
  state = group_.read();
  return done;
}

Status VolumeGroupOwner::carry_out_removal(const Plan& plan, const model::LogicalVolume& lv,
                                           model::VgState& state) {
  // A program that held LVM's lock during the wait may have removed volumes, which are not lost.
  model::VolumeGroup before = *state.group;
  const auto read_again = [&] {
    if (auto now = group_.read(); now.group) before = *std::move(now.group);
  };
  auto deactivation = deactivate_early(*state.group, lv);
  const bool deactivated = deactivation.has_value();
  failpoint("worker.inactive");
  Status done;
  for (const lvm::LvmCommand& command : plan.commands)
    if (done) {
      done = executor_.run(command, read_again);
      failpoint("worker.ran");
    }
  state = group_.read();
  // The device is free before the volume is active again, and before the caller has the response.
  deactivation.reset();
  if (deactivated && (!state.group || state.group->find(lv.name) != nullptr)) {
    if (const auto active = executor_.run(activate_command(executor_.path(lv.name))); !active)
      log::warning(
          fmt::format("{} was not removed and is not active: {}. Run `lvchange -ay {}`",
                      executor_.path(lv.name), active.error().message, executor_.path(lv.name)),
          {{log::kVg, volume_group_}, {log::kLv, lv.name}});
    state = group_.read();
  }
  if (!state.group) return done;
  // Only the state shows whether the volume exists: a command may fail after its commit.
  if (const model::LogicalVolume* const left = state.group->find(lv.name)) {
    if (!done) return done;
    if (auto removable = check_not_needed(*state.group, *left); !removable) return removable;
    return fail(Code::kInternal, "{} still exists after lvremove", lv.path);
  }
  remove_links(lv, executor_);
  return check_nothing_lost(before, *state.group, lv);
}

Status VolumeGroupOwner::finish(const Intent& intent, const model::VgState& after) {
  const auto lv = find(after, intent.volume);
  if (!lv) return std::unexpected(lv.error());
  if (*lv == nullptr)
    return fail(Code::kInternal, "{} does not exist after LVM's {}", executor_.path(intent.volume),
                to_string(intent.kind));
  if (!intent.hides_volume()) return {};
  return make_ready(**lv, intent, executor_);
}

Error VolumeGroupOwner::explain(const model::VolumeGroup& group, const Plan& plan, Error error) {
  if (error.code != Code::kInternal) return error;
  // LVM allocates space before it writes metadata, so a test run does not find a full metadata
  // area.
  if (const auto fits = model::check_metadata_space(group, plan.text); !fits) return fits.error();
  // If a test run of the command succeeds, the group has the space.
  const auto is_refused = [&](const lvm::LvmCommand& command) {
    return !executor_.accepts(lvm::LvmCommand{command}.flag("--test"));
  };
  if (plan.smallest && is_refused(plan.commands.front()) && executor_.accepts(*plan.smallest)) {
    error.code = Code::kResourceExhausted;
    error.reason = reason::kNotEnoughSpace;
  }
  return error;
}

Error VolumeGroupOwner::undo(const Intent& intent, Error cause) {
  Intent removal = intent;
  removal.kind = Intent::Kind::kUndo;
  // With this record, the next worker removes the volume after a crash or a failure.
  Status undone = begin(removal);
  if (undone) undone = settle(removal, group_, executor_);
  if (undone) undone = end(removal);
  if (!undone)
    cause.rollback = fmt::format(
        "{} may still exist: it is hidden, and lvmd tries to remove it again with the next change "
        "({})",
        executor_.path(intent.volume), undone.error().message);
  return cause;
}

Status VolumeGroupOwner::begin(const Intent& intent) {
  if (auto begun = intents_.begin(intent); !begun)
    return fail(Code::kUnavailable,
                "nothing was changed: cannot write the record of the change: {}",
                begun.error().message)
        .because(reason::kHostDiskUnusable);
  if (intent.hides_volume()) events_.hidden_changed(intents_.hidden());
  return {};
}

Status VolumeGroupOwner::end(const Intent& intent) {
  if (auto ended = intents_.end(intent.volume); !ended) {
    Error error = make_error(Code::kInternal, "cannot delete the record of {}: {}",
                             executor_.path(intent.volume), ended.error().message);
    log::error(error.message, {{log::kVg, volume_group_}, {log::kLv, intent.volume}});
    return std::unexpected(std::move(error));
  }
  return {};
}

}  // namespace lvmd::volumes::worker
