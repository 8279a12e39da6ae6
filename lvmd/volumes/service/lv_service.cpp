#include "lvmd/volumes/service/lv_service.hpp"

#include <cstdint>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/server/rpc_edge.hpp"
#include "lvmd/volumes/service/creation_marks.hpp"
#include "lvmd/volumes/service/request_checks.hpp"
#include "lvmd/volumes/service/responses.hpp"

namespace lvmd::volumes {
namespace {

using Changed = ChangeOutcome::value_type;

}  // namespace

template <typename Request>
server::UnaryReactor* LvService::change(std::string_view method, server::Context& context,
                                        const Request& request, ChangeCall::Fill fill) {
  server::CallRecord record = host_.record(method, context, log::Priority::kInfo);
  record.set_volume(request.name());
  return guarded(context, record, [&]() -> server::UnaryReactor* {
    auto checked = check(*backend_.catalog(), request);
    if (!checked) return answer(context, record, std::unexpected(checked.error()));
    if (auto marked = take_marks(context, checked->request); !marked)
      return answer(context, record, marked);
    return submit_change(backend_, host_, context, record, method, std::move(*checked),
                         std::move(fill));
  });
}

server::UnaryReactor* LvService::CreateLV(server::Context* context,
                                          const proto::CreateLVRequest* request,
                                          proto::CreateLVResponse* response) {
  return change("CreateLV", *context, *request, [response](const Changed& lv) {
    if (lv) fill(*response->mutable_volume(), *lv);
  });
}

server::UnaryReactor* LvService::RemoveLV(server::Context* context,
                                          const proto::RemoveLVRequest* request,
                                          proto::Empty* /*response*/) {
  return change("RemoveLV", *context, *request, [](const Changed& /*lv*/) {});
}

server::UnaryReactor* LvService::ResizeLV(server::Context* context,
                                          const proto::ResizeLVRequest* request,
                                          proto::ResizeLVResponse* response) {
  return change("ResizeLV", *context, *request, [response](const Changed& lv) {
    if (lv) response->set_size_bytes(static_cast<std::int64_t>(lv->size.value));
  });
}

server::UnaryReactor* LvService::CreateLVSnapshot(server::Context* context,
                                                  const proto::CreateLVSnapshotRequest* request,
                                                  proto::CreateLVSnapshotResponse* response) {
  return change("CreateLVSnapshot", *context, *request, [response](const Changed& lv) {
    if (lv) fill(*response->mutable_snapshot(), *lv);
  });
}

}  // namespace lvmd::volumes
