#include "lvmd/transfers/service/transfer_control.hpp"

#include <optional>
#include <utility>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/wipe.hpp"
#include "lvmd/transfers/record/record.hpp"
#include "lvmd/transfers/service/secret_job.hpp"

namespace lvmd::transfers {
namespace {

TransferKey key_of(const internal::MoverJob& job) {
  return {.operation = job.operation(), .id = job.id()};
}

Error differs(const TransferKey& key) {
  return make_error(Code::kAlreadyExists,
                    "a {} with id \"{}\" already exists for another request: use "
                    "another id",
                    operation_name(key.operation), key.id)
      .because(reason::kTransferDiffers);
}

}  // namespace

TransferControl::TransferControl(const internal::TransferSetup& setup, SupervisorLink& link,
                                 volumes::Backend& backend)
    : local_roots_(setup.local_roots().begin(), setup.local_roots().end()),
      max_running_(setup.max_running()),
      link_(link),
      marks_(backend),
      index_(setup.record_directory(),
             {.is_done = [this](const v1::Transfer& restore) { return marks_.is_cleared(restore); },
              .carry_out =
                  [this](const v1::Transfer& restore, std::function<void()> ended) {
                    marks_.complete(restore, std::move(ended));
                  }}) {
  if (setup.has_restic()) restic_problem_ = setup.restic().problem();
}

void TransferControl::set_restic(const internal::Restic& restic) {
  const std::lock_guard lock{mutex_};
  restic_problem_ = restic.problem();
}

Result<std::optional<v1::Transfer>> TransferControl::repeated(const internal::MoverJob& job) {
  const auto record = index_.look_up(key_of(job));
  if (!record) return std::nullopt;
  if (can_start_again(record->transfer())) return std::nullopt;
  if (record->spec_digest() != spec_digest(job)) return std::unexpected(differs(key_of(job)));
  return record->transfer();
}

Status TransferControl::check_restic() const {
  if (!restic_problem_)
    return fail(Code::kUnavailable, "lvmd is determining the version of restic: try again")
        .because(reason::kResticUnusable);
  if (restic_problem_->empty()) return {};
  return fail(Code::kFailedPrecondition, "{}", *restic_problem_).because(reason::kResticUnusable);
}

std::size_t TransferControl::running_with_starts() const {
  auto keys = index_.running();
  for (const auto& [key, start] : starts_) keys.insert(key);
  return keys.size();
}

void TransferControl::begin(internal::MoverJob job, Callback done) {
  const TransferKey key = key_of(job);
  const std::string digest = spec_digest(job);
  std::optional<TransferResult> answer;
  {
    const std::lock_guard lock{mutex_};
    if (const auto same = starts_.find(key); same != starts_.end()) {
      if (same->second.spec_digest == digest) {
        ipc::wipe(*job.mutable_credentials());
        return same->second.waiters.push_back(std::move(done));
      }
      answer = std::unexpected(differs(key));
      // An identical start may have ended since the caller checked.
    } else if (auto known = repeated(job); !known || *known) {
      answer = known ? TransferResult{std::move(**known)} : std::unexpected(known.error());
    } else if (auto usable = check_restic(); !usable) {
      answer = std::unexpected(usable.error());
    } else if (running_with_starts() >= max_running_) {
      answer = fail(Code::kResourceExhausted,
                    "{} transfers are running, which is the limit transfers.max-running of "
                    "lvmd.yaml: try again when one has ended",
                    max_running_)
                   .because(reason::kTooManyTransfers)
                   .with(key::kLimit, max_running_);
    } else {
      starts_[key] = Start{.spec_digest = digest, .waiters = {std::move(done)}};
    }
  }
  if (answer) {
    ipc::wipe(*job.mutable_credentials());
    // With an answer, `done` was not moved.
    return done(*answer);  // NOLINT(bugprone-use-after-move)
  }
  if (job.operation() != v1::OPERATION_RESTORE) return send_start(job);
  auto kept = std::make_shared<SecretJob>(std::move(job));
  marks_.begin(**kept, [this, key, kept](const Result<internal::RestoreMark>& mark) {
    failpoint("server.marked");
    if (!mark) return started(key, std::unexpected(mark.error()));
    (*kept)->set_mark(*mark);
    send_start(**kept);
  });
}

void TransferControl::send_start(internal::MoverJob& job) {
  const TransferKey key = key_of(job);
  internal::TransferRequest request;
  request.mutable_start()->Swap(&job);
  link_.request(std::move(request), [this, key](const Status& result) { started(key, result); });
}

TransferControl::TransferResult TransferControl::result_of(const TransferKey& key,
                                                           const Status& result) {
  if (!result) return std::unexpected(result.error());
  const auto record = index_.look_up(key);
  if (!record) return std::unexpected(transfer_not_found(key));
  return record->transfer();
}

void TransferControl::started(const TransferKey& key, const Status& result) {
  // Before the start is erased: a transfer must be in starts_ or in the index whenever transfers
  // are counted.
  const TransferResult outcome = result_of(key, result);
  std::vector<Callback> waiters;
  {
    const std::lock_guard lock{mutex_};
    const auto found = starts_.find(key);
    if (found == starts_.end()) return;
    waiters = std::move(found->second.waiters);
    starts_.erase(found);
  }
  for (const Callback& done : waiters) done(outcome);
}

void TransferControl::cancel(const TransferKey& key, Callback done) {
  const auto record = index_.look_up(key);
  if (!record) return done(std::unexpected(transfer_not_found(key)));
  if (has_ended(record->transfer().phase()) || is_completing(record->transfer()))
    return done(record->transfer());
  internal::TransferRequest request;
  request.mutable_cancel()->set_operation(key.operation);
  request.mutable_cancel()->set_id(key.id);
  link_.request(std::move(request), [this, key, done = std::move(done)](const Status& result) {
    done(result_of(key, result));
  });
}

}  // namespace lvmd::transfers
