#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

grpc::Status to_status(const Error& error) {
  return {static_cast<grpc::StatusCode>(error.code), describe(error)};
}

grpc::ServerUnaryReactor* answer(grpc::CallbackServerContext& context, const CallRecord& record,
                                 const Status& result) {
  grpc::ServerUnaryReactor* const reactor = context.DefaultReactor();
  if (result) {
    record.finish(Code::kOk, "");
    reactor->Finish(grpc::Status::OK);
  } else {
    record.finish(result.error().code, describe(result.error()));
    reactor->Finish(to_status(result.error()));
  }
  return reactor;
}

}  // namespace lvmd::server
