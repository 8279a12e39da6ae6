#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

UnaryReactor* answer(Context& context, const CallRecord& record, const Status& result) {
  UnaryReactor* const reactor = context.DefaultReactor();
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
