#include "reconciler/run/pass.hpp"

#include <chrono>
#include <type_traits>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/plan/failure.hpp"
#include "reconciler/run/step_log.hpp"

namespace lvmd::reconciler {
namespace {

// The longest way (mark, look up, create, status, resize, status) has fewer. Only an lvmd that
// answers OK and yet doesn't do it needs more: that is retried by the backoff, not at once
// [R-RUN-5].
constexpr int kMaxSteps = 12;

bool calls_lvmd(const Step& step) {
  return std::visit(
      []<typename S>(const S&) {
        return std::is_same_v<S, LookUp> || std::is_same_v<S, Create> ||
               std::is_same_v<S, Resize> || std::is_same_v<S, Remove>;
      },
      step);
}

}  // namespace

Pass::Pass(VolumeStore& store, VolumeService& service, LogicalVolume volume, unsigned failures,
           std::stop_token stop)
    : store_(store),
      service_(service),
      volume_(std::move(volume)),
      failures_(failures),
      stop_(std::move(stop)) {}

Outcome Pass::run() {
  for (int taken = 0; taken < kMaxSteps; ++taken) {
    if (stop_.stop_requested()) return Outcome::kRetry;
    const Step step = plan(volume_, observed_);
    if (std::holds_alternative<Nothing>(step)) return Outcome::kSettled;
    const Status result = timed(step);
    if (result) {
      if (std::holds_alternative<Release>(step)) return Outcome::kGone;
    } else if (calls_lvmd(step)) {
      report(result.error());
      return Outcome::kRetry;
    } else if (const auto outcome = after_store_error(result.error())) {
      return *outcome;
    }
  }
  log::error(fmt::format("{}: {} steps did not settle it; trying again later",
                         to_string(volume_.key), kMaxSteps));
  return Outcome::kRetry;
}

Status Pass::timed(const Step& step) {
  const auto begin = std::chrono::steady_clock::now();
  Status result = std::visit([this](const auto& kind) { return execute(kind); }, step);
  const auto duration = std::chrono::steady_clock::now() - begin;
  log_step(step, volume_, result, std::chrono::duration_cast<std::chrono::microseconds>(duration));
  return result;
}

// [R-FAIL-7]: a conflict is planned anew at once, the first time.
std::optional<Outcome> Pass::after_store_error(const Error& error) {
  if (error.code == Code::kNotFound) return Outcome::kGone;
  if (error.code != Code::kAborted || std::exchange(reread_, true)) return Outcome::kRetry;
  auto newer = store_.reread(volume_.key);
  if (!newer) return newer.error().code == Code::kNotFound ? Outcome::kGone : Outcome::kRetry;
  replace(std::move(*newer));
  observed_ = {};
  return std::nullopt;
}

void Pass::report(const Error& error) {
  if (stop_.stop_requested() || (failures_ == 0 && is_transient(error.code))) return;
  const Step step = WriteStatus{failed_status(volume_.status, error)};
  if (std::get<WriteStatus>(step).status == volume_.status) return;
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
  if (newer.resource_version != volume_.resource_version)
    superseded_.insert(volume_.resource_version);
  volume_ = std::move(newer);
}

Status Pass::execute(const Nothing&) { return {}; }

Status Pass::execute(const Mark&) { return keep(store_.mark(volume_)); }

Status Pass::execute(const LookUp&) {
  const auto found = service_.find(name());
  if (!found) return std::unexpected(found.error());
  observed_.looked_up = true;
  observed_.size = *found;
  return {};
}

Status Pass::execute(const Create& step) {
  const auto size = service_.create(name(), volume_.spec.lvcreate_option_class, step.size);
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  return {};
}

Status Pass::execute(const Resize& step) {
  const auto size = service_.resize(name(), step.size);
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  return {};
}

Status Pass::execute(const BeginRemoval&) { return keep(store_.begin_removal(volume_)); }

// [R-DELETE-2]
Status Pass::execute(const Remove&) {
  Status removed = service_.remove(name());
  if (!removed && removed.error().code != Code::kNotFound) return removed;
  observed_.removed = true;
  return {};
}

Status Pass::execute(const Release&) { return store_.release(volume_); }

Status Pass::execute(const WriteStatus& step) {
  return keep(store_.write_status(volume_, step.status));
}

}  // namespace lvmd::reconciler
