#include "lvmd/worker/volume_group_owner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <thread>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/lvm/devices_of.hpp"
#include "lvmd/lvm/run_patiently.hpp"
#include "lvmd/mount/users.hpp"
#include "lvmd/probe/signatures.hpp"

namespace lvmd::worker {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// udev opens a volume for a moment after it changed: an opener that stays longer is a user.
constexpr auto kOpenPatience = 1s;
constexpr auto kOpenInterval = 100ms;

}  // namespace

VolumeGroupOwner::VolumeGroupOwner(std::string volume_group, model::ClassCatalog catalog,
                                   std::string lvm_path, lvm::LvmRunner& lvm,
                                   CommandObserver on_command)
    : volume_group_(std::move(volume_group)),
      catalog_(std::move(catalog)),
      lvm_(lvm),
      on_command_(std::move(on_command)),
      reader_(volume_group_, std::move(lvm_path)),
      devices_(
          fail(Code::kUnavailable, "volume group {} has not been looked for yet", volume_group_)) {}

Result<std::vector<std::string>> VolumeGroupOwner::refresh_devices() {
  on_command_(fmt::format("vgs {}", volume_group_));
  devices_ = lvm::devices_of(lvm_, volume_group_);
  on_command_("");
  return devices_;
}

model::VgState VolumeGroupOwner::read() {
  if (!devices_) static_cast<void>(refresh_devices());
  if (!devices_)
    return {.name = volume_group_,
            .observed_at = monotonic_now(),
            .group = std::unexpected(devices_.error())};
  model::VgState state = reader_.read(*devices_);
  if (reader_.devices_incomplete() || !state.group) {
    const auto before = devices_;
    if (refresh_devices() && devices_ != before) state = reader_.read(*devices_);
  }
  return state;
}

Outcome VolumeGroupOwner::create(const CreateRequest& request) {
  return change(&plan_create, request);
}

Outcome VolumeGroupOwner::snapshot(const SnapshotRequest& request) {
  return change(&plan_snapshot, request);
}

Outcome VolumeGroupOwner::resize(const ResizeRequest& request) {
  return change(&plan_resize, request);
}

Outcome VolumeGroupOwner::remove(const RemoveRequest& request) {
  model::VgState before = read();
  if (!before.group) {
    Error why = before.group.error();
    return {.volume = std::unexpected(std::move(why)), .state = std::move(before)};
  }
  const auto plan = plan_remove(*before.group, catalog_, request);
  if (!plan) return {.volume = std::unexpected(plan.error()), .state = std::move(before)};
  if (auto unused = check_unused(request.name); !unused)
    return {.volume = std::unexpected(unused.error()), .state = read()};
  const Status done = carry_out(*plan, request.name);
  model::VgState after = read();
  // Only the state proves that it is gone; a command that failed after the commit did its work.
  if (after.group && after.group->find(request.name) == nullptr)
    return {.volume = std::nullopt, .state = std::move(after)};
  Error why = done ? make_error(Code::kInternal, "{}/{} is still there after lvremove",
                                volume_group_, request.name)
                   : done.error();
  return {.volume = std::unexpected(std::move(why)), .state = std::move(after)};
}

template <typename Request>
Outcome VolumeGroupOwner::change(Planner<Request> planner, const Request& request) {
  model::VgState before = read();
  if (!before.group) {
    Error why = before.group.error();
    return {.volume = std::unexpected(std::move(why)), .state = std::move(before)};
  }
  const auto plan = planner(*before.group, catalog_, request);
  if (!plan) return {.volume = std::unexpected(plan.error()), .state = std::move(before)};
  if (plan->commands.empty()) {
    model::LogicalVolume existing = *before.group->find(request.name);
    return {.volume = std::move(existing), .state = std::move(before)};
  }
  const Status done = carry_out(*plan, request.name);
  model::VgState after = read();
  if (!done) return {.volume = std::unexpected(done.error()), .state = std::move(after)};
  if (!after.group) {
    Error why = after.group.error();
    return {.volume = std::unexpected(std::move(why)), .state = std::move(after)};
  }
  const model::LogicalVolume* const volume = after.group->find(request.name);
  if (volume == nullptr)
    return {.volume = fail(Code::kInternal, "{}/{} is not there after {}", volume_group_,
                           request.name, plan->commands.front().summary()),
            .state = std::move(after)};
  model::LogicalVolume copy = *volume;
  return {.volume = std::move(copy), .state = std::move(after)};
}

Status VolumeGroupOwner::carry_out(const Plan& plan, std::string_view name) {
  for (const lvm::LvmCommand& command : plan.commands) {
    if (auto done = run(command); !done) {
      Error why = explain(plan, done.error());
      return std::unexpected(plan.creates ? undo(name, std::move(why)) : std::move(why));
    }
  }
  if (plan.blank)
    if (auto blank = make_blank(name); !blank)
      return std::unexpected(undo(name, std::move(blank.error())));
  return {};
}

Status VolumeGroupOwner::run(const lvm::LvmCommand& command) {
  on_command_(command.summary());
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = lvm::run_patiently(lvm_, command, volume_group_);
  const auto took = std::chrono::steady_clock::now() - begin;
  on_command_("");
  Status done;
  if (!outcome)
    done = std::unexpected(outcome.error());
  else if (!outcome->succeeded())
    done = fail(Code::kInternal, "{} failed: {}", command.summary(), outcome->explanation());
  const auto micro = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  if (done)
    log::info(fmt::format("{}: done", command.summary()),
              {{log::kVg, volume_group_}, {log::kDuration, fmt::format("{}", micro)}});
  else
    log::warning(fmt::format("{}: {}", command.summary(), done.error().message),
                 {{log::kVg, volume_group_}, {log::kDuration, fmt::format("{}", micro)}});
  return done;
}

Error VolumeGroupOwner::explain(const Plan& plan, Error error) {
  if (error.code != Code::kInternal || !plan.smallest) return error;
  const auto outcome = lvm_.run(*plan.smallest);
  if (outcome && outcome->succeeded()) error.code = Code::kResourceExhausted;
  return error;
}

Error VolumeGroupOwner::undo(std::string_view name, Error cause) {
  const model::VgState now = read();
  if (now.group && now.group->find(name) == nullptr) return cause;
  const auto removed = run(lvm::LvmCommand{"lvremove"}.flag("-f").flag("-y").operand(
      fmt::format("{}/{}", volume_group_, name)));
  if (!removed)
    cause.rollback = fmt::format("{}/{} is left behind and should be removed by hand: {}",
                                 volume_group_, name, removed.error().message);
  return cause;
}

Status VolumeGroupOwner::make_blank(std::string_view name) {
  const std::string path = fmt::format("/dev/{}/{}", volume_group_, name);
  const auto found = probe::signatures(path);
  if (!found) return std::unexpected(found.error());
  if (found->empty()) return {};
  if (const auto wiped = probe::wipe(path); !wiped) return std::unexpected(wiped.error());
  return {};
}

Status VolumeGroupOwner::check_unused(std::string_view name) {
  const auto deadline = std::chrono::steady_clock::now() + kOpenPatience;
  for (;;) {
    const model::VgState now = read();
    if (!now.group) return std::unexpected(now.group.error());
    const model::LogicalVolume* const lv = now.group->find(name);
    if (lv == nullptr || !lv->device || lv->device->open_count == 0) return {};
    const auto users = mount::who_uses(lv->device->major, lv->device->minor);
    const bool known = users && !users->empty();
    if (known || std::chrono::steady_clock::now() > deadline)
      return fail(Code::kFailedPrecondition, "logical volume {} is in use{}: {} open(s)", name,
                  known ? fmt::format(" ({})", fmt::join(*users, ", ")) : "",
                  lv->device->open_count);
    std::this_thread::sleep_for(kOpenInterval);
  }
}

}  // namespace lvmd::worker
