#include "lvmd/volumes/service/worker_client.hpp"

#include <algorithm>
#include <utility>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/receive_or_trim.hpp"

namespace lvmd::volumes {
namespace {

ChangeOutcome outcome_of(const internal::WorkerReply& reply) {
  switch (reply.outcome_case()) {
    case internal::WorkerReply::kVolume: {
      auto volume = ipc::from_proto(reply.volume());
      if (!volume) return std::unexpected(std::move(volume.error()));
      return std::optional{std::move(*volume)};
    }
    case internal::WorkerReply::kRemoved:
      return std::nullopt;
    case internal::WorkerReply::kError:
      return std::unexpected(ipc::from_proto(reply.error()));
    case internal::WorkerReply::OUTCOME_NOT_SET:
      break;
  }
  return fail(Code::kInternal, "the worker's reply has no outcome");
}

}  // namespace

WorkerClient::WorkerClient(std::string volume_group, ReadModel& read_model,
                           server::Metrics& metrics, Callbacks callbacks)
    : volume_group_(std::move(volume_group)),
      read_model_(read_model),
      metrics_(metrics),
      callbacks_(std::move(callbacks)) {}

void WorkerClient::attach(ipc::Channel channel) {
  detach();
  {
    const std::lock_guard lock{mutex_};
    channel_ = std::move(channel);
    states_ = {};
    attached_ = true;
  }
  reader_ = std::thread{[this] { read_events(); }};
  callbacks_.changed();
}

bool WorkerClient::is_attached() const {
  const std::lock_guard lock{mutex_};
  return attached_;
}

std::size_t WorkerClient::queued() const {
  const std::lock_guard lock{mutex_};
  return queue_.size();
}

void WorkerClient::detach() {
  {
    const std::lock_guard lock{mutex_};
    if (channel_) channel_.shutdown();
  }
  if (reader_.joinable()) reader_.join();
}

void WorkerClient::end(const Error& why) {
  {
    const std::lock_guard lock{mutex_};
    ended_ = why;
  }
  detach();
}

Status WorkerClient::check_ready(const std::optional<Step>& observer) const {
  if (ended_) return std::unexpected(*ended_);
  if (!attached_)
    return fail(Code::kUnavailable,
                "the worker of volume group {} is not running; it is being started: try again",
                volume_group_)
        .because(reason::kWorkerGone)
        .with(key::kVg, volume_group_);
  if (const auto available = read_model_.check_available(volume_group_); !available)
    return available;
  const auto now = monotonic_now();
  const auto seconds_since = [now](MonotonicTime since) {
    return std::chrono::duration_cast<std::chrono::seconds>(now - since).count();
  };
  const auto stuck = [&](const std::string& what, MonotonicTime since) {
    return fail(Code::kUnavailable,
                "volume group {} accepts no changes now: \"{}\" has been running for {} s",
                volume_group_, what, seconds_since(since))
        .because(reason::kCommandStuck)
        .with(key::kVg, volume_group_)
        .with(key::kCommand, what)
        .with(key::kSeconds, seconds_since(since));
  };
  if (observer && observer->is_stuck(now)) return stuck(observer->what, observer->since);
  if (const auto step = step_.current(); step && now - step->since > kStuckAfter)
    return stuck(step->what, step->since);
  // A worker announces no step while it reads the group before or after its commands.
  if (!queue_.empty() && !step_.current() && now - queue_.front().sent > kStuckAfter)
    return stuck(queue_.front().what, queue_.front().sent);
  if (queue_.size() >= kMaxQueuedChanges)
    return fail(Code::kUnavailable,
                "{} changes of volume group {} are queued, which is the limit: try again later",
                queue_.size(), volume_group_)
        .because(reason::kQueueFull)
        .with(key::kVg, volume_group_)
        .with(key::kLimit, kMaxQueuedChanges);
  return {};
}

void WorkerClient::submit(internal::WorkerRequest request, std::string what, Callback done) {
  request.clear_id();
  std::string key = request.SerializeAsString();
  // Called without the lock, because the callee takes locks of its own.
  const std::optional<Step> observer = callbacks_.observer();
  callbacks_.change_begun();
  std::unique_lock lock{mutex_};
  if (const auto same = std::ranges::find(queue_, key, &Change::key); same != queue_.end()) {
    same->waiters.push_back(std::move(done));
    return;
  }
  if (const auto ready = check_ready(observer); !ready) {
    lock.unlock();
    done(std::unexpected(ready.error()));
    return;
  }
  request.set_id(++last_id_);
  Change& change = queue_.emplace_back();
  change.key = std::move(key);
  change.what = std::move(what);
  change.request = std::move(request);
  change.waiters.push_back(std::move(done));
  change.submitted = monotonic_now();
  if (queue_.size() == 1) send_first();
}

void WorkerClient::send_first() {
  queue_.front().sent = monotonic_now();
  metrics_.change_waited(volume_group_, queue_.front().sent - queue_.front().submitted);
  if (const auto sent = channel_.send(queue_.front().request); !sent) {
    log::warning(fmt::format("{} could not be sent to the worker: {}", queue_.front().what,
                             sent.error().message),
                 {{log::kVg, volume_group_}});
    // The reading thread sees the end of the channel and fails all changes.
    channel_.shutdown();
  }
}

void WorkerClient::read_events() {
  std::string why = "the worker of volume group " + volume_group_ + " has ended";
  for (;;) {
    const auto received = receive_or_trim<internal::WorkerEvent>(channel_);
    if (!received) {
      why = fmt::format("the channel to the worker of volume group {} is broken: {}", volume_group_,
                        received.error().message);
      // The worker ends when its channel closes, and is started again.
      channel_.shutdown();
      break;
    }
    if (!*received) break;
    handle((*received)->message);
  }
  fail_all(why);
  callbacks_.changed();
}

void WorkerClient::handle(const internal::WorkerEvent& event) {
  switch (event.event_case()) {
    case internal::WorkerEvent::kReply:
      return handle_reply(event.reply());
    case internal::WorkerEvent::kState:
      return take_state(event.state());
    case internal::WorkerEvent::kHidden:
      return apply_hidden(event.hidden());
    case internal::WorkerEvent::kBusy:
      step_.begin(event.busy());
      return callbacks_.step_begun();
    case internal::WorkerEvent::kIdle:
      return end_step();
    case internal::WorkerEvent::EVENT_NOT_SET:
      break;
  }
  log::warning("dropped an unknown event of the worker", {{log::kVg, volume_group_}});
}

void WorkerClient::end_step() {
  const auto ended = step_.end();
  if (!ended) return;
  const auto now = monotonic_now();
  // Steps with a limit are not LVM commands.
  if (!ended->limit) metrics_.command_finished(volume_group_, ended->what, now - ended->since);
  if (now - ended->since > kStuckAfter) callbacks_.changed();
}

void WorkerClient::recover() {
  internal::WorkerRequest request;
  request.mutable_recover();
  const std::lock_guard lock{mutex_};
  if (!attached_ || !queue_.empty()) return;
  // If the worker has ended, its successor recovers when it starts.
  static_cast<void>(channel_.send(request));
}

void WorkerClient::take_state(const internal::VgState& state) {
  auto read = states_.read(state);
  if (read && read->name == volume_group_) return read_model_.apply_from_worker(std::move(*read));
  log::error(fmt::format("cannot use a state from the worker of volume group {}: {}", volume_group_,
                         read ? "it belongs to " + read->name : read.error().message),
             {{log::kVg, volume_group_}});
  // Later states may depend on this one. The worker ends when its channel closes, and is started
  // again.
  channel_.shutdown();
}

void WorkerClient::apply_hidden(const internal::HiddenVolumes& hidden) {
  read_model_.hide(volume_group_, {hidden.names().begin(), hidden.names().end()});
  internal::WorkerRequest taken;
  taken.mutable_hidden_acknowledged();
  const std::lock_guard lock{mutex_};
  // If the worker has ended, it needs no reply.
  static_cast<void>(channel_.send(taken));
}

void WorkerClient::handle_reply(const internal::WorkerReply& reply) {
  if (reply.has_state()) take_state(reply.state());
  // After the state, which contains the finished volume.
  read_model_.hide(volume_group_, {reply.hidden().names().begin(), reply.hidden().names().end()});
  end_step();
  failpoint("server.replied");
  std::vector<Callback> waiters;
  bool begins_next = false;
  {
    const std::lock_guard lock{mutex_};
    if (queue_.empty() || queue_.front().request.id() != reply.id()) {
      log::error(fmt::format("dropped the worker's reply to unknown request {}", reply.id()),
                 {{log::kVg, volume_group_}});
      return;
    }
    waiters = std::move(queue_.front().waiters);
    queue_.pop_front();
    begins_next = !queue_.empty();
    if (begins_next) send_first();
  }
  if (begins_next) callbacks_.change_begun();
  const ChangeOutcome outcome = outcome_of(reply);
  for (const Callback& done : waiters) done(outcome);
}

void WorkerClient::fail_all(const std::string& why) {
  std::deque<Change> lost;
  const auto interrupted = step_.end();
  {
    const std::lock_guard lock{mutex_};
    attached_ = false;
    lost = std::exchange(queue_, {});
  }
  log::notice(
      fmt::format("{}{}; failed changes: {}", why,
                  interrupted ? fmt::format(" during \"{}\"", interrupted->what) : "", lost.size()),
      {{log::kVg, volume_group_}});
  for (const Change& change : lost) {
    const ChangeOutcome outcome = std::unexpected(not_done(change, why));
    for (const Callback& done : change.waiters) done(outcome);
  }
}

Error WorkerClient::not_done(const Change& change, const std::string& why) const {
  Error error = make_error(Code::kUnavailable,
                           "{} before {} was done; its outcome is unknown: "
                           "try again",
                           why, change.what)
                    .because(reason::kWorkerGone)
                    .with(key::kVg, volume_group_);
  const std::lock_guard lock{mutex_};
  if (!ended_) return error;
  error.message = fmt::format("{} before {} was done; repeat the call to get its outcome",
                              ended_->message, change.what);
  error.reason = ended_->reason;
  return error;
}

}  // namespace lvmd::volumes
