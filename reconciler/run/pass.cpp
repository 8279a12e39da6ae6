#include "reconciler/run/pass.hpp"

#include <chrono>
#include <type_traits>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/plan/event.hpp"
#include "reconciler/plan/failure.hpp"
#include "reconciler/run/step_log.hpp"

namespace lvmd::reconciler {
namespace {

// The longest way (clear, look up, source, mark, create, status, resize, status) has fewer. Only an
// lvmd that answers OK and yet doesn't do it needs more: that is retried by the backoff, not at
// once [R-RUN-5].
constexpr int kMaxSteps = 12;

// The others are the store's.
bool is_about_the_volume(const Step& step) {
  return std::visit(
      []<typename S>(const S&) {
        return std::is_same_v<S, FindClasses> || std::is_same_v<S, LookUp> ||
               std::is_same_v<S, Unmet> || std::is_same_v<S, Create> ||
               std::is_same_v<S, CreateSnapshot> || std::is_same_v<S, Resize> ||
               std::is_same_v<S, Remove>;
      },
      step);
}

bool only_looks(const Step& step) {
  return std::visit(
      []<typename S>(const S&) {
        return std::is_same_v<S, FindClasses> || std::is_same_v<S, LookUp> ||
               std::is_same_v<S, FindSource> || std::is_same_v<S, Unmet>;
      },
      step);
}

}  // namespace

Pass::Pass(VolumeStore& store, VolumeService& service, Progress progress, std::stop_token stop,
           Mode mode)
    : store_(store),
      service_(service),
      progress_(std::move(progress)),
      stop_(std::move(stop)),
      mode_(mode),
      observed_{.renewed = progress_.renewed} {}

Outcome Pass::run() {
  for (int taken = 0; taken < kMaxSteps; ++taken) {
    if (stop_.stop_requested()) return Outcome::kRetry;
    const Step step = plan(volume(), observed_);
    if (std::holds_alternative<Nothing>(step)) return Outcome::kSettled;
    if (mode_ == Mode::kDryRun && !only_looks(step)) {
      log_plan(step, volume());
      return Outcome::kSettled;
    }
    const Status result = timed(step);
    if (result) {
      if (std::holds_alternative<Release>(step) || std::holds_alternative<Abandon>(step))
        return Outcome::kGone;
    } else if (is_about_the_volume(step)) {
      return after_failure(result.error());
    } else if (const auto outcome = after_store_error(result.error())) {
      return *outcome;
    }
  }
  log::error(fmt::format("{}: {} steps did not settle it; trying again later",
                         to_string(volume().key), kMaxSteps));
  return Outcome::kRetry;
}

Status Pass::timed(const Step& step) {
  const auto begin = std::chrono::steady_clock::now();
  Status result = std::visit([this](const auto& kind) { return execute(kind); }, step);
  const auto duration = std::chrono::steady_clock::now() - begin;
  log_step(step, volume(), result, std::chrono::duration_cast<std::chrono::microseconds>(duration));
  return result;
}

// [R-FAIL-7]: a conflict is planned anew at once, the first time.
std::optional<Outcome> Pass::after_store_error(const Error& error) {
  if (error.code == Code::kNotFound) return gone();
  if (error.code != Code::kAborted || std::exchange(reread_, true)) return Outcome::kRetry;
  auto newer = store_.reread(volume().key);
  if (!newer) return newer.error().code == Code::kNotFound ? gone() : Outcome::kRetry;
  // Another object of that name.
  if (newer->uid != volume().uid) take_back();
  progress_.renewed = progress_.renewed || !same_wish(*newer, volume());
  replace(std::move(*newer));
  observed_ = {.renewed = progress_.renewed};
  return std::nullopt;
}

Outcome Pass::gone() {
  take_back();
  return Outcome::kGone;
}

// [R-CREATE-7]
void Pass::take_back() {
  if (!std::exchange(made_, false)) return;
  const Status removed = service_.remove(name());
  if (removed)
    log::notice(fmt::format("{} went while its volume {} was made: removed it",
                            to_string(volume().key), volume().uid));
  else if (removed.error().code != Code::kNotFound)
    log::error(fmt::format("{} went while its volume {} was made, and that stays: {}",
                           to_string(volume().key), volume().uid, describe(removed.error())));
}

Outcome Pass::after_failure(const Error& error) {
  report(error);
  return is_refused_creation(volume(), error) ? Outcome::kRefused : Outcome::kRetry;
}

void Pass::report(const Error& error) {
  if (mode_ == Mode::kDryRun || stop_.stop_requested() || is_lvmd_away(error)) return;
  if (progress_.failures == 0 && is_transient(error.code)) return;
  const Step step = WriteStatus{failed_status(volume(), error)};
  if (std::get<WriteStatus>(step).status == volume().status) return;
  // A status that can't be written now is written by the retry: log_step has told.
  static_cast<void>(timed(step));
}

Status Pass::keep(Result<LogicalVolume> written) {
  if (!written) return std::unexpected(std::move(written.error()));
  replace(std::move(*written));
  return {};
}

// A store without versions never shows the past: it has none to tell it by.
void Pass::replace(LogicalVolume newer) {
  if (newer.resource_version != volume().resource_version)
    progress_.superseded.insert(volume().resource_version);
  volume() = std::move(newer);
}

// plan() has lvmd asked for nothing before the class is known.
VolumeName Pass::name() {
  return {.name = volume().uid,
          .device_class = device_class_of(volume(), observed_.classes.value_or(Classes{}))
                              .value_or(volume().spec.device_class)};
}

Status Pass::execute(const Nothing&) { return {}; }

// What is made durable has the class that was found, so that it stays the same [R-OBJ-17].
Status Pass::execute(const Mark&) {
  LogicalVolume marked = volume();
  marked.spec.device_class = name().device_class;
  return keep(store_.mark(marked));
}

Status Pass::execute(const FindClasses&) {
  const auto found = service_.classes(volume().uid);
  if (!found) return std::unexpected(found.error());
  observed_.classes.emplace();
  for (const ClassGroup& entry : *found)
    if (entry.volume_group == volume().spec.vg_name)
      observed_.classes->push_back({.name = entry.device_class, .has_volume = entry.has_volume});
  return {};
}

Status Pass::execute(const LookUp&) {
  const auto found = service_.find(name());
  if (!found) return std::unexpected(found.error());
  observed_.looked_up = true;
  observed_.size = *found;
  return {};
}

Status Pass::execute(const FindSource&) {
  const auto found = store_.reread({volume().key.group, volume().spec.source});
  if (!found && found.error().code != Code::kNotFound) return std::unexpected(found.error());
  observed_.source = found ? Source{.exists = true,
                                    .node_name = found->spec.node_name,
                                    .volume_id = found->status.volume_id,
                                    .size = found->status.current_size}
                           : Source{};
  return {};
}

Status Pass::execute(const Unmet& step) { return std::unexpected(step.error); }

Status Pass::execute(const Create& step) {
  const auto size = service_.create(name(), volume().spec.lvcreate_option_class, step.size);
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  made_ = true;
  return {};
}

Status Pass::execute(const CreateSnapshot& step) {
  const auto size =
      service_.create_snapshot(name(), step.source, volume().spec.access_type, step.size);
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  made_ = true;
  return {};
}

Status Pass::execute(const Resize& step) {
  const auto size = service_.resize(name(), step.size);
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  return {};
}

Status Pass::execute(const BeginRemoval&) { return keep(store_.begin_removal(volume())); }

// [R-DELETE-2]
Status Pass::execute(const Remove&) {
  Status removed = service_.remove(name());
  if (!removed && removed.error().code != Code::kNotFound) return removed;
  observed_.removed = true;
  return {};
}

Status Pass::execute(const Release&) {
  if (Status released = store_.release(volume()); !released) return released;
  store_.tell(volume(), deleted_event(volume()));
  return {};
}

Status Pass::execute(const Abandon&) {
  if (Status released = store_.release(volume()); !released) return released;
  const Event event = abandoned_event(volume());
  log::warning(fmt::format("{}: {}", to_string(volume().key), event.message));
  store_.tell(volume(), event);
  return {};
}

Status Pass::execute(const WriteStatus& step) {
  VolumeStatus status = step.status;
  stamp(status.conditions, std::chrono::system_clock::now());
  const auto event = event_of(volume(), status);
  if (auto done = keep(store_.write_status(volume(), status)); !done) return done;
  if (event) store_.tell(volume(), *event);
  made_ = false;
  progress_.renewed = observed_.renewed = false;
  // Whatever the store kept of it, this much has been told: an older CRD drops the newer fields,
  // and writing them again and again would not change that [R-KUBE-13].
  volume().status.observed_generation = status.observed_generation;
  volume().status.conditions = std::move(status.conditions);
  return {};
}

}  // namespace lvmd::reconciler
