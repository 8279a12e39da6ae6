#include "csi/app/sidecar_server.hpp"

#include <fmt/format.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "csi/controller/call_edge.hpp"

namespace lvmd::controller {
namespace {

// Of requests: the largest one has the topology of every node.
constexpr int kMaxRequestBytes = 16 << 20;

Status remove_old_socket(const std::string& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return {};
    return fail_errno(errno, fmt::format("looking for an old socket at {}", path));
  }
  if (!S_ISSOCK(found.st_mode))
    return fail(Code::kFailedPrecondition, "{} is not a socket: remove it, or change --csi-socket",
                path);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    return fail_errno(errno, fmt::format("removing the old socket {}", path));
  return {};
}

}  // namespace

Result<std::unique_ptr<grpc::Server>> serve_sidecars(const std::string& socket,
                                                     const std::vector<grpc::Service*>& services) {
  if (auto removed = remove_old_socket(socket); !removed)
    return std::unexpected(std::move(removed.error()));
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("unix:" + socket, grpc::InsecureServerCredentials(), &port);
  for (grpc::Service* const service : services) builder.RegisterService(service);
  builder.SetMaxReceiveMessageSize(kMaxRequestBytes);
  // Further calls of a connection wait in the client.
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, CallEdge::kMaxCalls);
  auto server = builder.BuildAndStart();
  if (server == nullptr || port == 0)
    return fail(Code::kInternal,
                "listening on {} failed: its folder must exist and be writable for this user",
                socket);
  return server;
}

}  // namespace lvmd::controller
