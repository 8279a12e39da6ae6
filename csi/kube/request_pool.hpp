// A few connections to the API server for requests from many threads.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

#include "lvmd/base/result.hpp"
#include "reconciler/kube/http_client.hpp"

namespace lvmd::controller::kube {

class RequestPool {
 public:
  // Each is opened when all before it are in use.
  static constexpr std::size_t kConnections = 4;

  // `stop_fd`: as in HttpClient.
  RequestPool(const reconciler::kube::KubeOptions& options, int stop_fd);

  // As HttpClient::send(). Waits for a free connection: a response takes milliseconds. Safe from
  // every thread.
  [[nodiscard]] Result<reconciler::kube::HttpResponse> send(
      const reconciler::kube::HttpRequest& request);

 private:
  struct Connection {
    Connection(const reconciler::kube::KubeOptions& options, int stop_fd)
        : client(options, stop_fd) {}

    std::mutex mutex;
    reconciler::kube::HttpClient client;
  };

  std::array<std::unique_ptr<Connection>, kConnections> connections_;
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace lvmd::controller::kube
