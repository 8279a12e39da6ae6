#include "csi/kube/request_pool.hpp"

namespace lvmd::controller::kube {

using reconciler::kube::HttpRequest;
using reconciler::kube::HttpResponse;
using reconciler::kube::KubeOptions;

RequestPool::RequestPool(const KubeOptions& options, int stop_fd) {
  for (auto& connection : connections_) connection = std::make_unique<Connection>(options, stop_fd);
}

Result<HttpResponse> RequestPool::send(const HttpRequest& request) {
  for (const auto& connection : connections_)
    if (const std::unique_lock lock{connection->mutex, std::try_to_lock}; lock)
      return connection->client.send(request);
  Connection& connection = *connections_[next_++ % kConnections];
  const std::lock_guard lock{connection.mutex};
  return connection.client.send(request);
}

}  // namespace lvmd::controller::kube
