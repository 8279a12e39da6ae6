#include "lvmd/volumes/service/change_call.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::volumes {

server::UnaryReactor* submit_change(Backend& backend, server::Host& host, server::Context& context,
                                    server::CallRecord record, std::string_view method,
                                    CheckedChange change, ChangeCall::Fill fill) {
  record.set_volume_group(change.volume_group);
  std::string what = fmt::format("{} {}/{}", method, change.volume_group, change.volume);
  const auto worker = backend.worker(change.volume_group);
  if (worker == nullptr)
    return answer(
        context, record,
        fail(Code::kUnavailable,
             "volume group {} was removed from the configuration during the call: try again",
             change.volume_group)
            .because(reason::kReloaded)
            .with(key::kVg, change.volume_group));
  if (auto begun = host.begin_call(); !begun) return answer(context, record, begun);
  auto* const call = new ChangeCall{std::move(record), std::move(fill), host.calls()};
  worker->submit(std::move(change.request), std::move(what), call->completion());
  return call;
}

}  // namespace lvmd::volumes
