#include "lvmd/server/transfer_service.hpp"

#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/server/latest_stream.hpp"
#include "lvmd/server/pending_call.hpp"
#include "lvmd/server/rpc_edge.hpp"
#include "lvmd/server/secret_job.hpp"
#include "lvmd/server/transfer_checks.hpp"
#include "lvmd/transfers/record/record.hpp"

namespace lvmd::server {
namespace {

using UnaryReactor = grpc::ServerUnaryReactor;

transfers::TransferKey key_of(const v1::TransferName& name) {
  return {.operation = name.operation(), .id = name.id()};
}

Status stopping() {
  return fail(Code::kUnavailable, "lvmd is stopping: try again when it is back")
      .because(reason::kStopping);
}

// The supervisor's answer goes into `response`; without a caller the transfer goes on.
PendingCall<v1::Transfer>* wait_for_supervisor(const CallRecord& record, v1::Transfer& response,
                                               InFlight& in_flight) {
  return new PendingCall<v1::Transfer>{
      record, [&response](const v1::Transfer& transfer) { response = transfer; }, in_flight};
}

using Stream = LatestStream<v1::Transfer>;

// The message that the transfer has ended is the last one.
Stream::Source source_of(TransferBook& book, const transfers::TransferKey& key) {
  return {.add = [&book, key](Stream::Listener& listener) { book.add(key, listener); },
          .remove = [&book](Stream::Listener& listener) { book.remove(listener); },
          .is_last = [](const v1::Transfer& told) { return transfers::has_ended(told.phase()); }};
}

}  // namespace

CallRecord TransferService::record_of(std::string_view method, grpc::CallbackServerContext& context,
                                      log::Priority success) const {
  return CallRecord{method, peers_.find(context.peer()), success, backend_.metrics()};
}

template <typename Request>
UnaryReactor* TransferService::start(std::string_view method, grpc::CallbackServerContext& context,
                                     const Request& request, const std::string& device_class,
                                     v1::Transfer& response) {
  CallRecord record = record_of(method, context, log::Priority::kInfo);
  return guarded(context, record, [&]() -> UnaryReactor* {
    const auto catalog = backend_.catalog();
    auto checked = check(*catalog, transfers_.local_roots(), request);
    if (!checked) return answer(context, record, std::unexpected(checked.error()));
    SecretJob job{std::move(*checked)};
    record.set_volume(job->device().name());
    record.set_volume_group(job->device().volume_group());
    record.set_transfer(describe(transfers::TransferKey{job->operation(), job->id()}));
    // Before the volume is looked for: a backup that is done outlives its snapshot.
    auto repeated = transfers_.repeated(*job);
    if (!repeated) return answer(context, record, std::unexpected(repeated.error()));
    if (*repeated) {
      response = **std::move(repeated);
      return answer(context, record, {});
    }
    if (auto located = locate_volume(*catalog, backend_.read_model(), device_class, *job); !located)
      return answer(context, record, located);
    if (!in_flight_.begin()) return answer(context, record, stopping());
    auto* const call = wait_for_supervisor(record, response, in_flight_);
    transfers_.begin(std::move(*job), call->completion());
    return call;
  });
}

UnaryReactor* TransferService::StartBackup(grpc::CallbackServerContext* context,
                                           const v1::StartBackupRequest* request,
                                           v1::Transfer* response) {
  return start("StartBackup", *context, *request, request->device_class(), *response);
}

UnaryReactor* TransferService::StartRestore(grpc::CallbackServerContext* context,
                                            const v1::StartRestoreRequest* request,
                                            v1::Transfer* response) {
  return start("StartRestore", *context, *request, request->device_class(), *response);
}

UnaryReactor* TransferService::DeleteBackup(grpc::CallbackServerContext* context,
                                            const v1::DeleteBackupRequest* request,
                                            v1::Transfer* response) {
  return start("DeleteBackup", *context, *request, "", *response);
}

UnaryReactor* TransferService::StartCheck(grpc::CallbackServerContext* context,
                                          const v1::StartCheckRequest* request,
                                          v1::Transfer* response) {
  return start("StartCheck", *context, *request, "", *response);
}

UnaryReactor* TransferService::Get(grpc::CallbackServerContext* context,
                                   const v1::TransferName* request, v1::Transfer* response) {
  CallRecord record = record_of("GetTransfer", *context, log::Priority::kDebug);
  return guarded(*context, record, [&] {
    if (auto valid = check(*request); !valid) return answer(*context, record, valid);
    record.set_transfer(describe(key_of(*request)));
    const auto found = transfers_.book().look_up(key_of(*request));
    if (!found)
      return answer(*context, record, std::unexpected(transfer_not_found(key_of(*request))));
    *response = found->transfer();
    return answer(*context, record, {});
  });
}

UnaryReactor* TransferService::List(grpc::CallbackServerContext* context,
                                    const v1::ListTransfersRequest* /*request*/,
                                    v1::ListTransfersResponse* response) {
  const CallRecord record = record_of("ListTransfers", *context, log::Priority::kDebug);
  return guarded(*context, record, [&] {
    for (v1::Transfer& transfer : transfers_.book().list())
      response->add_transfers()->Swap(&transfer);
    return answer(*context, record, {});
  });
}

grpc::ServerWriteReactor<v1::Transfer>* TransferService::Watch(grpc::CallbackServerContext* context,
                                                               const v1::TransferName* request) {
  CallRecord record = record_of("WatchTransfer", *context, log::Priority::kDebug);
  if (auto valid = check(*request); !valid)
    return Stream::refused(std::move(record), valid.error(), streams_);
  record.set_transfer(describe(key_of(*request)));
  return new Stream{source_of(transfers_.book(), key_of(*request)), std::move(record), streams_};
}

UnaryReactor* TransferService::Cancel(grpc::CallbackServerContext* context,
                                      const v1::TransferName* request, v1::Transfer* response) {
  CallRecord record = record_of("CancelTransfer", *context, log::Priority::kInfo);
  return guarded(*context, record, [&]() -> UnaryReactor* {
    if (auto valid = check(*request); !valid) return answer(*context, record, valid);
    record.set_transfer(describe(key_of(*request)));
    if (!in_flight_.begin()) return answer(*context, record, stopping());
    auto* const call = wait_for_supervisor(record, *response, in_flight_);
    transfers_.cancel(key_of(*request), call->completion());
    return call;
  });
}

}  // namespace lvmd::server
