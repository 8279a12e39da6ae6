#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

grpc::ServerUnaryReactor* answer(grpc::CallbackServerContext& context, const CallRecord& record,
                                 const Status& result) {
  grpc::ServerUnaryReactor* const reactor = context.DefaultReactor();
  if (result) {
    record.finish(Code::kOk, "");
    reactor->Finish(grpc::Status::OK);
  } else {
    record.finish(result.error().code, describe(result.error()));
    reactor->Finish(to_status(record.located(result.error())));
  }
  return reactor;
}

}  // namespace lvmd::server
