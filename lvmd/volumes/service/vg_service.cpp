#include "lvmd/volumes/service/vg_service.hpp"

#include <grpcpp/support/slice.h>

#include <string>

#include "lvmd/model/available.hpp"
#include "lvmd/server/latest_stream.hpp"
#include "lvmd/server/rpc_edge.hpp"
#include "lvmd/volumes/service/request_checks.hpp"
#include "lvmd/volumes/service/responses.hpp"

namespace lvmd::volumes {
namespace {

// Calls `take(view, class)` for the class named `class_name`.
template <typename Take>
Status read(const Backend& backend, server::CallRecord& record, const std::string& class_name,
            const Take& take) {
  const auto catalog = backend.catalog();
  const auto device_class = find_class(*catalog, class_name);
  if (!device_class) return std::unexpected(device_class.error());
  record.set_volume_group((*device_class)->volume_group);
  const auto view = backend.read_model().view((*device_class)->volume_group);
  if (!view) return std::unexpected(view.error());
  return take(*view, **device_class);
}

Result<proto::GetLVListRequest> decode(const grpc::ByteBuffer& encoded) {
  grpc::Slice bytes;
  proto::GetLVListRequest request;
  if (encoded.DumpToSingleSlice(&bytes).ok() &&
      request.ParseFromArray(bytes.begin(), static_cast<int>(bytes.size())))
    return request;
  return fail(Code::kInvalidArgument, "the request is not a valid proto.GetLVListRequest");
}

}  // namespace

server::UnaryReactor* VgService::GetLVList(server::Context* context,
                                           const grpc::ByteBuffer* request,
                                           grpc::ByteBuffer* response) {
  server::CallRecord record = host_.record("GetLVList", *context, log::Priority::kDebug);
  return guarded(*context, record, [&] {
    const auto decoded = decode(*request);
    if (!decoded) return answer(*context, record, std::unexpected(decoded.error()));
    const Status result = read(
        backend_, record, decoded->device_class(),
        [response](const ReadModel::View& view, const model::DeviceClass& device_class) -> Status {
          auto encoded = list_response(view, device_class);
          if (!encoded) return std::unexpected(encoded.error());
          response->Swap(&*encoded);
          return {};
        });
    return answer(*context, record, result);
  });
}

server::UnaryReactor* VgService::GetFreeBytes(server::Context* context,
                                              const proto::GetFreeBytesRequest* request,
                                              proto::GetFreeBytesResponse* response) {
  server::CallRecord record = host_.record("GetFreeBytes", *context, log::Priority::kDebug);
  return guarded(*context, record, [&] {
    const Status result = read(
        backend_, record, request->device_class(),
        [response](const ReadModel::View& view, const model::DeviceClass& device_class) -> Status {
          const auto free = model::available(*view.group, device_class);
          if (!free) return std::unexpected(free.error());
          response->set_free_bytes(free->value);
          return {};
        });
    return answer(*context, record, result);
  });
}

grpc::ServerWriteReactor<proto::WatchResponse>* VgService::Watch(server::Context* context,
                                                                 const proto::Empty* /*request*/) {
  return new server::LatestStream<proto::WatchResponse>{
      backend_.watch_feed(), host_.record("Watch", *context, log::Priority::kDebug),
      host_.streams()};
}

}  // namespace lvmd::volumes
