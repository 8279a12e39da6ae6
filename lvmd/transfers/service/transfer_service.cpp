#include "lvmd/transfers/service/transfer_service.hpp"

#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/server/latest_stream.hpp"
#include "lvmd/server/pending_call.hpp"
#include "lvmd/server/rpc_edge.hpp"
#include "lvmd/transfers/record/record.hpp"
#include "lvmd/transfers/service/secret_job.hpp"
#include "lvmd/transfers/service/transfer_checks.hpp"

namespace lvmd::transfers {
namespace {

TransferKey key_of(const v1::TransferName& name) {
  return {.operation = name.operation(), .id = name.id()};
}

void set_transfer(server::CallRecord& record, const TransferKey& key) {
  record.set_subject({.log_field = log::kTransfer, .key = key::kTransfer, .text = describe(key)});
}

// The call is answered with the supervisor's reply. If the caller cancels it, the transfer
// continues.
server::PendingCall<v1::Transfer>* wait_for_supervisor(const server::CallRecord& record,
                                                       v1::Transfer& response,
                                                       server::InFlight& in_flight) {
  return new server::PendingCall<v1::Transfer>{
      record, [&response](const v1::Transfer& transfer) { response = transfer; }, in_flight};
}

using Stream = server::LatestStream<v1::Transfer>;

// The message with the transfer's end is the last one.
Stream::Source source_of(TransferIndex& index, const TransferKey& key) {
  return {.add = [&index, key](Stream::Subscriber& subscriber) { index.add(key, subscriber); },
          .remove = [&index](Stream::Subscriber& subscriber) { index.remove(subscriber); },
          .is_last = [](const v1::Transfer& sent) { return has_ended(sent.phase()); }};
}

}  // namespace

template <typename Request>
server::UnaryReactor* TransferService::start(std::string_view method, server::Context& context,
                                             const Request& request,
                                             const std::string& device_class,
                                             v1::Transfer& response) {
  server::CallRecord record = host_.record(method, context, log::Priority::kInfo);
  return guarded(context, record, [&]() -> server::UnaryReactor* {
    const auto catalog = backend_.catalog();
    auto checked = check(*catalog, control_.local_roots(), request);
    if (!checked) return answer(context, record, std::unexpected(checked.error()));
    SecretJob job{std::move(*checked)};
    record.set_volume(job->device().name());
    record.set_volume_group(job->device().volume_group());
    set_transfer(record, {job->operation(), job->id()});
    // Checked before the volume, because the snapshot of a finished backup may have been removed.
    auto repeated = control_.repeated(*job);
    if (!repeated) return answer(context, record, std::unexpected(repeated.error()));
    if (*repeated) {
      response = **std::move(repeated);
      return answer(context, record, {});
    }
    if (auto located = locate_volume(*catalog, backend_.read_model(), device_class, *job); !located)
      return answer(context, record, located);
    if (auto begun = host_.begin_call(); !begun) return answer(context, record, begun);
    auto* const call = wait_for_supervisor(record, response, host_.calls());
    control_.begin(std::move(*job), call->completion());
    return call;
  });
}

server::UnaryReactor* TransferService::StartBackup(server::Context* context,
                                                   const v1::StartBackupRequest* request,
                                                   v1::Transfer* response) {
  return start("StartBackup", *context, *request, request->device_class(), *response);
}

server::UnaryReactor* TransferService::StartRestore(server::Context* context,
                                                    const v1::StartRestoreRequest* request,
                                                    v1::Transfer* response) {
  return start("StartRestore", *context, *request, request->device_class(), *response);
}

server::UnaryReactor* TransferService::DeleteBackup(server::Context* context,
                                                    const v1::DeleteBackupRequest* request,
                                                    v1::Transfer* response) {
  return start("DeleteBackup", *context, *request, "", *response);
}

server::UnaryReactor* TransferService::StartCheck(server::Context* context,
                                                  const v1::StartCheckRequest* request,
                                                  v1::Transfer* response) {
  return start("StartCheck", *context, *request, "", *response);
}

server::UnaryReactor* TransferService::Get(server::Context* context,
                                           const v1::TransferName* request,
                                           v1::Transfer* response) {
  server::CallRecord record = host_.record("GetTransfer", *context, log::Priority::kDebug);
  return guarded(*context, record, [&] {
    if (auto valid = check(*request); !valid) return answer(*context, record, valid);
    set_transfer(record, key_of(*request));
    const auto found = control_.index().look_up(key_of(*request));
    if (!found)
      return answer(*context, record, std::unexpected(transfer_not_found(key_of(*request))));
    *response = found->transfer();
    return answer(*context, record, {});
  });
}

server::UnaryReactor* TransferService::List(server::Context* context,
                                            const v1::ListTransfersRequest* /*request*/,
                                            v1::ListTransfersResponse* response) {
  const server::CallRecord record = host_.record("ListTransfers", *context, log::Priority::kDebug);
  return guarded(*context, record, [&] {
    for (v1::Transfer& transfer : control_.index().list())
      response->add_transfers()->Swap(&transfer);
    return answer(*context, record, {});
  });
}

grpc::ServerWriteReactor<v1::Transfer>* TransferService::Watch(server::Context* context,
                                                               const v1::TransferName* request) {
  server::CallRecord record = host_.record("WatchTransfer", *context, log::Priority::kDebug);
  if (auto valid = check(*request); !valid)
    return Stream::refused(std::move(record), valid.error(), host_.streams());
  set_transfer(record, key_of(*request));
  return new Stream{source_of(control_.index(), key_of(*request)), std::move(record),
                    host_.streams()};
}

server::UnaryReactor* TransferService::Cancel(server::Context* context,
                                              const v1::TransferName* request,
                                              v1::Transfer* response) {
  server::CallRecord record = host_.record("CancelTransfer", *context, log::Priority::kInfo);
  return guarded(*context, record, [&]() -> server::UnaryReactor* {
    if (auto valid = check(*request); !valid) return answer(*context, record, valid);
    set_transfer(record, key_of(*request));
    if (auto begun = host_.begin_call(); !begun) return answer(*context, record, begun);
    auto* const call = wait_for_supervisor(record, *response, host_.calls());
    control_.cancel(key_of(*request), call->completion());
    return call;
  });
}

}  // namespace lvmd::transfers
