#include "lvmd/server/supervisor_link.hpp"

#include <fmt/format.h>

#include <utility>

#include "lvmd/base/clock.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/wipe.hpp"

namespace lvmd::server {
namespace {

Status supervisor_gone() {
  return fail(Code::kUnavailable, "lvmd's supervisor is gone: try again when lvmd is back")
      .because(reason::kStopping);
}

}  // namespace

SupervisorLink::SupervisorLink()
    : last_number_(static_cast<std::uint64_t>(monotonic_now().nanoseconds)) {}

void SupervisorLink::connect(Send send) {
  const std::lock_guard lock{send_mutex_};
  send_ = std::move(send);
}

void SupervisorLink::ask(internal::TransferRequest request, Callback done) {
  internal::ChildEvent event;
  *event.mutable_transfer() = std::move(request);
  std::uint64_t number = 0;
  {
    const std::lock_guard lock{mutex_};
    number = ++last_number_;
    // First: the answer may be there before send() is back.
    open_.emplace(number, std::move(done));
  }
  event.mutable_transfer()->set_number(number);
  Status sent = supervisor_gone();
  {
    const std::lock_guard lock{send_mutex_};
    if (send_) sent = send_(event);
  }
  if (event.transfer().has_start())
    ipc::wipe(*event.mutable_transfer()->mutable_start()->mutable_credentials());
  if (sent) return;
  if (const Callback refused = take(number)) refused(sent);
}

SupervisorLink::Callback SupervisorLink::take(std::uint64_t number) {
  const std::lock_guard lock{mutex_};
  const auto found = open_.find(number);
  if (found == open_.end()) return nullptr;
  Callback done = std::move(found->second);
  open_.erase(found);
  return done;
}

void SupervisorLink::answered(const internal::TransferReply& reply) {
  const Callback done = take(reply.number());
  if (!done)
    return log::warning(
        fmt::format("dropped the supervisor's answer {}, which nobody waits for", reply.number()));
  done(reply.has_error() ? Status{std::unexpected(ipc::from_proto(reply.error()))} : Status{});
}

void SupervisorLink::lost() {
  {
    const std::lock_guard lock{send_mutex_};
    send_ = nullptr;
  }
  std::map<std::uint64_t, Callback> waiting;
  {
    const std::lock_guard lock{mutex_};
    waiting = std::exchange(open_, {});
  }
  for (const auto& [number, done] : waiting) done(supervisor_gone());
}

}  // namespace lvmd::server
