#include "lvmd/server/host.hpp"

#include "lvmd/base/reason.hpp"

namespace lvmd::server {

CallRecord Host::record(std::string_view method, const Context& context, log::Priority success) {
  return CallRecord{method, peers_.find(context.peer()), success, metrics_};
}

Status Host::begin_call() {
  if (calls_.begin()) return {};
  return fail(Code::kUnavailable, "lvmd is stopping: try again when it is back")
      .because(reason::kStopping);
}

Status Host::send(const internal::ChildEvent& event) {
  const std::lock_guard lock{send_mutex_};
  return supervisor_.send(event);
}

}  // namespace lvmd::server
