#include "lvmd/transfers/service/supervisor_link.hpp"

#include <fmt/format.h>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/wipe.hpp"

namespace lvmd::transfers {

void SupervisorLink::request(internal::TransferRequest request, Callback done) {
  internal::ChildEvent event;
  *event.mutable_transfer() = std::move(request);
  if (const auto number = replies_.add(std::move(done))) {
    event.mutable_transfer()->set_number(*number);
    if (const Status sent = send_(event); !sent) replies_.complete(*number, sent);
  }
  if (event.transfer().has_start())
    ipc::wipe(*event.mutable_transfer()->mutable_start()->mutable_credentials());
}

void SupervisorLink::take_reply(const internal::TransferReply& reply) {
  const Status result =
      reply.has_error() ? Status{std::unexpected(ipc::from_proto(reply.error()))} : Status{};
  if (!replies_.complete(reply.number(), result))
    log::warning(
        fmt::format("dropped the supervisor's reply to unknown request {}", reply.number()));
}

void SupervisorLink::supervisor_lost() {
  replies_.end(fail(Code::kUnavailable, "lvmd's supervisor has ended: try again when lvmd runs")
                   .because(reason::kStopping));
}

}  // namespace lvmd::transfers
